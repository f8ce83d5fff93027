/**
 * MQTT packets from and to bytes, for versions 3.1, 3.1.1 and 5.0 and both directions. Plain byte arrays with an offset
 * and a limit: nothing here is reference counted, blocks, or keeps a caller's array beyond the call unless it says so.
 *
 * <p>The way of a received packet: {@link dev.avocet.mqtt.codec.PacketFramer} finds its bounds, then {@link
 * dev.avocet.mqtt.codec.PublishDecoder} fills a reusable view of a PUBLISH, or {@link
 * dev.avocet.mqtt.codec.PacketDecoder} makes a record of any other. The way back: {@link
 * dev.avocet.mqtt.codec.PublishEncoder} and {@link dev.avocet.mqtt.codec.PacketEncoder} append to a {@link
 * dev.avocet.mqtt.codec.field.PacketWriter}. Whatever the bytes are, decoding throws nothing but {@link
 * dev.avocet.mqtt.codec.field.MalformedPacketException}.
 *
 * <p>Static methods and immutable objects may be used by any thread; framers, views and writers belong to one at a
 * time.
 *
 * <p>May depend on: {@code dev.avocet.mqtt.packet}, {@code dev.avocet.core.message}. Must not know connections,
 * sessions or Netty.
 */
@NullMarked
package dev.avocet.mqtt.codec;

import org.jspecify.annotations.NullMarked;
