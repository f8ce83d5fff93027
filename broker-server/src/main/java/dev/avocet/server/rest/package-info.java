/**
 * Administration over HTTP: the configuration objects and the service of a broker, who may do what with them, and a log
 * of who did.
 *
 * <p>Owner thread: the {@code admin} threads, few and allowed to block. May depend on: core's configuration and
 * security, server.admin, server.broker, server.objects, Javalin. Start reading at
 * {@link dev.avocet.server.rest.RestApi}.
 */
@NullMarked
package dev.avocet.server.rest;

import org.jspecify.annotations.NullMarked;
