package dev.avocet.core.tls.psk;

import java.nio.file.Path;

/**
 * Pre-shared keys of an endpoint.
 *
 * @param file identities and keys, as {@link PskTable} reads them
 * @param required whether clients come in with a pre-shared key only
 */
public record PskOptions(Path file, boolean required) {}
