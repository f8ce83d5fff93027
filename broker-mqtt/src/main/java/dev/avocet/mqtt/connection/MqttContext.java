package dev.avocet.mqtt.connection;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.security.Authenticator;

/** What all MQTT connections of a broker work with. Immutable. */
public record MqttContext(Broker broker, MqttOptions options, Authenticator authenticator, ConnectionLog log) {}
