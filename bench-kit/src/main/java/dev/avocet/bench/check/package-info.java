/**
 * Whether messages arrive, once, in order and whole.
 *
 * <p>Each message begins with a {@link dev.avocet.bench.check.MessageHead}: stream, sequence number, when it was meant
 * to be sent, and a checksum. A stream is what one publisher sends to one destination, so its messages arrive in order
 * wherever order is promised. A receiver has a {@link dev.avocet.bench.check.ReceiverAccount}, owned by the thread that
 * receives; receivers that share their messages have a {@link dev.avocet.bench.check.SharedStreams} in common. Nothing
 * here allocates per message.
 *
 * <p>May depend on: the JDK. Start reading at {@link dev.avocet.bench.check.ReceiverAccount}.
 */
@NullMarked
package dev.avocet.bench.check;

import org.jspecify.annotations.NullMarked;
