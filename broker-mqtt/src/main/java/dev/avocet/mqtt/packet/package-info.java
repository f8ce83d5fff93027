/**
 * What MQTT packets are: one record per packet, the same for MQTT 3.1, 3.1.1 and 5.0, and the numbers and words that
 * the standard gives them. How they look on the wire is the business of {@code dev.avocet.mqtt.codec}.
 *
 * <p>Start at {@link dev.avocet.mqtt.packet.Packet}. Everything here is immutable and belongs to no thread.
 *
 * <p>May depend on: {@code dev.avocet.core.message}. Must not know the codec, connections or sessions.
 */
@NullMarked
package dev.avocet.mqtt.packet;

import org.jspecify.annotations.NullMarked;
