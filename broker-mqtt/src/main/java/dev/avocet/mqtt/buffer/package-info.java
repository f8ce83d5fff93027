/**
 * The bytes of one MQTT connection on their way in and out: what was read and is not yet a packet, what is to be
 * written, and messages that are encoded once for several subscribers.
 *
 * <p>Owner: the event loop of the connection's channel.
 *
 * <p>May depend on: packet, codec, session, core. Must not know subscriptions or what is delivered.
 */
@NullMarked
package dev.avocet.mqtt.buffer;

import org.jspecify.annotations.NullMarked;
