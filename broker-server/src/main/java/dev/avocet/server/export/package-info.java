/**
 * The configuration with its secrets, in a file that a password protects: to be taken to another broker, or to come
 * back to.
 *
 * <p>Owner thread: none; the caller computes for a tenth of a second and blocks on the disk, so never an event loop.
 * May depend on: core.config, core.security, server.config, server.objects, BouncyCastle. Start reading at
 * {@link dev.avocet.server.export.SealedFile}.
 */
@NullMarked
package dev.avocet.server.export;

import org.jspecify.annotations.NullMarked;
