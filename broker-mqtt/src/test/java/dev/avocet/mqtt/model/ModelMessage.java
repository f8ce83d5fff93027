package dev.avocet.mqtt.model;

import dev.avocet.core.message.QualityOfService;

/** A publish as the model sees it. Numbers grow with time. */
record ModelMessage(String publisher, String topic, QualityOfService qos, boolean retain, String payload, int number) {}
