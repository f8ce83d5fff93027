/**
 * What a server has once: its administration endpoint, its part in a high-availability pair, its logs and the
 * settings that have no object of their own. Owner thread: none; everything is immutable. May depend on:
 * core.config.object.field. Start at {@link dev.avocet.core.config.object.server.Singletons}.
 */
@NullMarked
package dev.avocet.core.config.object.server;

import org.jspecify.annotations.NullMarked;
