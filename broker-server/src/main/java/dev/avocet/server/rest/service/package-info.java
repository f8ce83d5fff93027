/**
 * Requests that operate the server: its process and maintenance mode, the high-availability pair, traces, and what
 * is exported and transferred. Owner thread: the {@code admin} threads. May depend on: rest.request, rest.config.
 * Start at {@link dev.avocet.server.rest.service.ServiceRequests}.
 */
@NullMarked
package dev.avocet.server.rest.service;

import org.jspecify.annotations.NullMarked;
