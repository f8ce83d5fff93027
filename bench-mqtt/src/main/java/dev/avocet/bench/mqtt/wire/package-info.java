/**
 * MQTT as bytes, of a client's side: the packets it sends whole, and a reader of those it gets, over plain arrays.
 *
 * <p>Written by hand, because one reused array per thread is all that the hot paths may allocate. Owner thread: the
 * event loop of the connection. May depend on: the JDK. Start reading at
 * {@link dev.avocet.bench.mqtt.wire.PacketReader}.
 */
@NullMarked
package dev.avocet.bench.mqtt.wire;

import org.jspecify.annotations.NullMarked;
