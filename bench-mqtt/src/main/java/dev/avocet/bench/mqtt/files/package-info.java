/**
 * Who connects and what is sent, read from files: lists of clients, and messages of one's own.
 *
 * <p>Fields have the names of the reference harness. All of it is read before a run, by its thread, and immutable. May
 * depend on: {@code mqtt.wire}, what checks messages, Jackson. Start reading at
 * {@link dev.avocet.bench.mqtt.files.ClientList} and {@link dev.avocet.bench.mqtt.files.MessageFiles}.
 */
@NullMarked
package dev.avocet.bench.mqtt.files;

import org.jspecify.annotations.NullMarked;
