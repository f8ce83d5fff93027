/**
 * The commands of {@code bin/broker} that serve no clients: {@code setup}, {@code store}, {@code hash-password}.
 *
 * <p>Owner thread: main. May depend on: process, config, setup, store. Must not know the server.
 */
@NullMarked
package dev.avocet.server.command;

import org.jspecify.annotations.NullMarked;
