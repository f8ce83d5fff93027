/**
 * Who may connect over MQTT, and what a client may do: options of the endpoint, checks of a CONNECT, rate limits.
 *
 * <p>Owner: the event loop of the connection's channel; {@link dev.avocet.mqtt.admission.MqttOptions} and {@link
 * dev.avocet.mqtt.admission.MqttContext} are immutable.
 *
 * <p>May depend on: packet, codec, core. Must not know deliveries.
 */
@NullMarked
package dev.avocet.mqtt.admission;

import org.jspecify.annotations.NullMarked;
