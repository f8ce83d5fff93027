/**
 * Administration over HTTP: health, metrics, and what can be asked of the broker.
 *
 * <p>Owner thread: the {@code admin} threads, few and allowed to block. Nothing here is called by the threads that
 * serve clients. May depend on: server.store, Javalin, Micrometer, Jackson's streaming half. Start reading at
 * {@link dev.avocet.server.admin.AdminServer}.
 */
@NullMarked
package dev.avocet.server.admin;

import org.jspecify.annotations.NullMarked;
