package dev.avocet.mqtt.clients;

import java.util.Map;

/**
 * A message as a client got it.
 *
 * @param properties of MQTT 5: {@code user.NAME}, {@code responseTopic}, {@code correlationData}
 */
record Received(String topic, int qos, boolean retain, String payload, Map<String, String> properties) {}
