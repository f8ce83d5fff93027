package dev.avocet.mqtt.model;

/** A will and how long it waits. */
record ModelWill(ModelMessage message, long delaySeconds) {}
