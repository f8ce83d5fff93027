/**
 * What carries MQTT: a plain stream of bytes, or WebSocket.
 *
 * <p>Owner: the event loop of the connection's channel.
 *
 * <p>May depend on: connection, core.
 *
 * <p>Start at {@link dev.avocet.mqtt.frontend.MqttFrontEnd}.
 */
@NullMarked
package dev.avocet.mqtt.frontend;

import org.jspecify.annotations.NullMarked;
