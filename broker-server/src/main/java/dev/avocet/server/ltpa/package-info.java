/**
 * LTPA tokens of WebSphere and Liberty, read only: their keys, and the threads that check tokens.
 *
 * <p>Start at {@link LtpaProviders}. May depend on: the core's security and configuration, {@code objects},
 * {@code certificates}. Must not know endpoints or protocols.
 */
@NullMarked
package dev.avocet.server.ltpa;

import org.jspecify.annotations.NullMarked;
