package dev.avocet.core.tls.status;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the broker learns that certificates of clients were revoked.
 *
 * @param list where the list of an authority is: {@code file:}, {@code http:} or {@code https:}
 * @param delta where what has changed since that list is; null for nowhere
 * @param interval how often lists are fetched over the network; files are read when they change
 * @param revalidate whether connections end whose certificates are in a new list
 * @param acceptUnknown whether clients come in for whose authority there is no valid list
 */
public record RevocationOptions(
        URI list, @Nullable URI delta, Duration interval, boolean revalidate, boolean acceptUnknown) {}
