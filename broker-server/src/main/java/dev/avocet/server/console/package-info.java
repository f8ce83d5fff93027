/**
 * The console, which administrators open in a browser: its files, the sessions of those who have logged in, and the
 * stream of figures of its dashboard. All else it asks for as every program can, by the REST requests.
 *
 * <p>Owner thread: the {@code admin} threads, and {@code console} for what dashboards show. May depend on:
 * server.admin, server.broker, server.monitor, server.store, the core, Javalin. Start reading at
 * {@link dev.avocet.server.console.ConsolePages}.
 */
@NullMarked
package dev.avocet.server.console;

import org.jspecify.annotations.NullMarked;
