package dev.avocet.core.tls.status;

import dev.avocet.core.tls.key.TlsException;
import java.security.cert.X509Certificate;
import java.util.List;

/** Whose word about clients counts, as the files are now. */
public interface Authorities {
    /** @throws TlsException when a file cannot be read */
    List<X509Certificate> current() throws TlsException;
}
