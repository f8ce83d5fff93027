/**
 * What MQTT remembers of a client between two of its packets and between two of its connections.
 *
 * <p>Owner: the session's home loop.
 *
 * <p>May depend on: core. Must not know connections or packets.
 *
 * <p>Start at {@link dev.avocet.mqtt.session.MqttSession}; {@code StateChange} says what of it is written, and how.
 */
@NullMarked
package dev.avocet.mqtt.session;

import org.jspecify.annotations.NullMarked;
