/**
 * One MQTT connection, from bytes to messages and back.
 *
 * <p>Owner: the event loop of the connection's channel.
 *
 * <p>May depend on: packet, codec, session, buffer, admission, core. Must not know what carries the bytes beyond a
 * Netty channel.
 *
 * <p>Start at {@link dev.avocet.mqtt.connection.MqttConnection}; the way in is {@link
 * dev.avocet.mqtt.connection.PublishReceiver}, the way out {@link dev.avocet.mqtt.connection.Deliveries}.
 */
@NullMarked
package dev.avocet.mqtt.connection;

import org.jspecify.annotations.NullMarked;
