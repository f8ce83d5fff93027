/**
 * Files that administrators upload, and what SecurityProfile and the objects around it make of those among them that
 * are certificates and keys.
 *
 * <p>Owner thread: none; what blocks on the disk is for the threads of the administration and of the configuration. May
 * depend on: core.config, core.tls, core.time. Start reading at {@link dev.avocet.server.certificates.UploadedFiles}
 * and {@link dev.avocet.server.certificates.ProfileTls}.
 */
@NullMarked
package dev.avocet.server.certificates;

import org.jspecify.annotations.NullMarked;
