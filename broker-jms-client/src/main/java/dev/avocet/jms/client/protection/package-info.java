/**
 * Messages of protected destinations: sealed on their way out, opened on their way in.
 *
 * <p>The only package that sees the library {@code dev.avocet.protection}, which is loaded when a destination is
 * protected and not before. Called by the threads of the application, never by the event loop. Start reading at
 * {@link dev.avocet.jms.client.protection.MessageProtection}.
 */
@NullMarked
package dev.avocet.jms.client.protection;

import org.jspecify.annotations.NullMarked;
