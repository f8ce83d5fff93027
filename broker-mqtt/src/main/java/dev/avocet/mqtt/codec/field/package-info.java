/**
 * The fields that MQTT packets are made of: integers of variable length, text, properties.
 *
 * <p>A {@link dev.avocet.mqtt.codec.field.BodyReader} and a {@link dev.avocet.mqtt.codec.field.PropertyReader} read
 * them, a {@link dev.avocet.mqtt.codec.field.PacketWriter} and a {@link dev.avocet.mqtt.codec.field.PropertyWriter}
 * append them. Readers and writers belong to one thread at a time. Bytes that break a rule end in a {@link
 * dev.avocet.mqtt.codec.field.MalformedPacketException}.
 *
 * <p>May depend on: packet, core.message. Must not know packets as a whole, connections or Netty.
 */
@NullMarked
package dev.avocet.mqtt.codec.field;

import org.jspecify.annotations.NullMarked;
