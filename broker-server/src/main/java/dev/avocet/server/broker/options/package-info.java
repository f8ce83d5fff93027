/**
 * What the startup file and the configuration objects mean to the core and to the front ends, and what follows a change
 * of them.
 *
 * <p>Owner thread: the one that opens the broker, then the one that changes the configuration. May depend on:
 * server.config, server.objects, server.system, the core, the front ends' options. Start reading at
 * {@link dev.avocet.server.broker.options.CoreOptions}.
 */
@NullMarked
package dev.avocet.server.broker.options;

import org.jspecify.annotations.NullMarked;
