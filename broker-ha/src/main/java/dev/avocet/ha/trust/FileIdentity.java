package dev.avocet.ha.trust;

import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.key.PeerIdentity;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.ha.trust.NoMemberException.Kind;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * A member with a certificate out of a file. It takes for a member what is trusted by itself, and what an authority
 * vouches for and is issued for the host of that member.
 */
final class FileIdentity implements Identity {
    /** How the library calls a key of any kind. */
    private static final String ANY_KEY = "UNKNOWN";

    private static final int LONGEST_SUBJECT = 200;

    private final Credentials.Files files;
    private final GroupNames names;
    private final PeerIdentity identity;
    private final X509TrustManager authorities;

    private FileIdentity(
            Credentials.Files files, GroupNames names, PeerIdentity identity, X509TrustManager authorities) {
        this.files = files;
        this.names = names;
        this.identity = identity;
        this.authorities = authorities;
    }

    /** Blocks on the disk. */
    static FileIdentity read(Credentials.Files files, GroupNames names) throws TlsException {
        PeerIdentity identity =
                PeerIdentity.read(new KeySource.Pem(files.certificate(), files.key(), null), List.of(files.trust()));
        return new FileIdentity(files, names, identity, verifier(identity.trusted()));
    }

    @Override
    public PrivateKey key() {
        return identity.key();
    }

    @Override
    public List<X509Certificate> chain() {
        return identity.chain();
    }

    @Override
    public Instant expiry() {
        return identity.expiry();
    }

    @Override
    public void check(X509Certificate[] shown, boolean dialed, Set<String> members) throws NoMemberException {
        X509Certificate certificate = shown[0];
        checkDates(certificate); // the library does not look at those of a certificate that is trusted by itself
        if (identity.trusted().contains(certificate)) {
            return;
        }
        try {
            if (dialed) {
                authorities.checkClientTrusted(shown, ANY_KEY);
            } else {
                authorities.checkServerTrusted(shown, ANY_KEY);
            }
        } catch (CertificateException e) {
            throw bad(
                    certificate,
                    "which nothing in " + files.trust() + " vouches for (" + e.getMessage()
                            + "): have certificates of all members issued by an authority in that file, for clients"
                            + " and servers");
        }
        boolean fits = members.stream()
                .anyMatch(member ->
                        CertificateNames.hold(certificate, names.hosts().get(member)));
        if (!fits) {
            throw bad(
                    certificate,
                    "which is not for " + addresses(members)
                            + ": have one issued with that host among its alternative names");
        }
    }

    private String addresses(Set<String> members) {
        return String.join(
                " or ",
                members.stream()
                        .map(member -> names.hosts().get(member) + ", the host of " + member)
                        .toList());
    }

    private static void checkDates(X509Certificate certificate) throws NoMemberException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw bad(
                    certificate,
                    "which expired at " + certificate.getNotAfter().toInstant()
                            + ": replace it; that needs no restart");
        } catch (CertificateException e) {
            throw bad(
                    certificate,
                    "which is not good before " + certificate.getNotBefore().toInstant()
                            + ": check the clocks of both machines");
        }
    }

    private static NoMemberException bad(X509Certificate certificate, String why) {
        return new NoMemberException(Kind.CERTIFICATE, "shows the certificate of " + subject(certificate) + ", " + why);
    }

    /** As a part of a line. */
    static String subject(X509Certificate certificate) {
        String name = certificate.getSubjectX500Principal().getName().replaceAll("\\p{Cntrl}", " ");
        return "'" + (name.length() > LONGEST_SUBJECT ? name.substring(0, LONGEST_SUBJECT) + "…" : name) + "'";
    }

    @Override
    public String advice() {
        return "check this node's certificate, " + files.certificate() + ", and what the other one trusts";
    }

    private static X509TrustManager verifier(List<X509Certificate> trusted) throws TlsException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < trusted.size(); i++) {
                store.setCertificateEntry("trusted-" + i, trusted.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return Arrays.stream(factory.getTrustManagers())
                    .filter(X509TrustManager.class::isInstance)
                    .map(X509TrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsException("the trusted certificates cannot be used: " + e.getMessage(), e);
        }
    }
}
