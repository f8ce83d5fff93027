package dev.avocet.core.tls;

import java.security.cert.X509Certificate;
import java.util.List;

/** Whose word about clients counts, as the files are now. */
interface Authorities {
    /** @throws TlsException when a file cannot be read */
    List<X509Certificate> current() throws TlsException;
}
