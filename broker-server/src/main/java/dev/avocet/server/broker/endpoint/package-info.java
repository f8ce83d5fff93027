/**
 * What the broker listens at: the endpoints of the startup file and those that are configuration objects, which of them
 * listen now, and why one does not.
 *
 * <p>Owner thread: the one that opens the broker, then the one that changes the configuration. May depend on:
 * server.broker.content, server.certificates, server.config, server.monitor, server.objects, the core, the front ends.
 * Start reading at {@link dev.avocet.server.broker.endpoint.ObjectEndpoints}.
 */
@NullMarked
package dev.avocet.server.broker.endpoint;

import org.jspecify.annotations.NullMarked;
