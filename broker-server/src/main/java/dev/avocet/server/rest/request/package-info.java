/**
 * What every request and its answer are made of: routes with their bodies, who asks and what that administrator may
 * do, preconditions, refusals with their codes, and the audit log. Owner thread: the {@code admin} threads. May
 * depend on: core's configuration and security, server.admin, server.broker, Javalin. Start at {@link
 * dev.avocet.server.rest.request.RestRoute}.
 */
@NullMarked
package dev.avocet.server.rest.request;

import org.jspecify.annotations.NullMarked;
