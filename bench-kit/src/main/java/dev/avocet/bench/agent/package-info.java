/**
 * One run by several machines: an {@link dev.avocet.bench.agent.Agent} on each does its share, a {@link
 * dev.avocet.bench.agent.Controller} deals them out, starts them together and makes one result of theirs.
 *
 * <p>Frames of JSON over TCP, or TLS with certificates of both sides. Until the other side has shown that it knows the
 * secret, frames are small, time is short and connections are few. Afterwards each frame carries a code made with a key
 * of this conversation.
 *
 * <p>Threads: an agent has one that accepts, and for a controller one that listens, one that leads the part and one
 * that reports; a controller has one that decides, and for each agent one that listens. May depend on: {@code part},
 * the shared packages, Jackson, picocli, and Netty's reader of PEM files. Start reading at
 * {@link dev.avocet.bench.agent.Controller}.
 */
@NullMarked
package dev.avocet.bench.agent;

import org.jspecify.annotations.NullMarked;
