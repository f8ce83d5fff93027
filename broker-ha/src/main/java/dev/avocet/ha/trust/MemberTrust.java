package dev.avocet.ha.trust;

import java.net.Socket;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedTrustManager;

/** Takes some of the members, and no other party, at either end of a connection. Thread-safe. */
public final class MemberTrust extends X509ExtendedTrustManager {
    /** More lead to no authority that there is, and each costs a signature to be verified. */
    private static final int LONGEST_CHAIN = 10;

    private final Supplier<Identity> identity;
    private final Set<String> members;
    private final BiConsumer<String, NoMemberException> refusals;

    MemberTrust(Supplier<Identity> identity, Set<String> members, BiConsumer<String, NoMemberException> refusals) {
        this.identity = identity;
        this.members = Set.copyOf(members);
        this.refusals = refusals;
    }

    /**
     * The same, for a library that says nothing of why it has not connected.
     *
     * @param listener hears where this node has called and found no member, on any thread
     */
    public MemberTrust telling(BiConsumer<String, NoMemberException> listener) {
        return new MemberTrust(identity, members, listener);
    }

    /**
     * Holds the other end of an open connection against what is trusted now: a session that was resumed comes without
     * a check.
     *
     * @param dialed whether the other end has made the connection
     * @throws NoMemberException when it is not, or not any more, one of the members
     */
    public void check(SSLSession session, boolean dialed) throws NoMemberException {
        try {
            Certificate[] shown = session.getPeerCertificates();
            check(Arrays.copyOf(shown, shown.length, X509Certificate[].class), dialed);
        } catch (SSLPeerUnverifiedException e) {
            throw noCertificate();
        }
    }

    private void check(X509Certificate[] chain, boolean dialed) throws NoMemberException {
        if (chain.length == 0) {
            throw noCertificate();
        }
        if (chain.length > LONGEST_CHAIN) {
            throw new NoMemberException(
                    NoMemberException.Kind.CERTIFICATE,
                    "shows " + chain.length + " certificates, and " + LONGEST_CHAIN
                            + " are allowed: leave out those that do not lead to its authority");
        }
        identity.get().check(chain, dialed, members);
    }

    private static NoMemberException noCertificate() {
        return new NoMemberException(
                NoMemberException.Kind.CERTIFICATE, "shows no certificate: it is not a member of the group");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType) throws CertificateException {
        check(chain, true);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType, Socket socket) throws CertificateException {
        check(chain, true);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
            throws CertificateException {
        check(chain, true);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType) throws CertificateException {
        check(chain, false);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType, Socket socket) throws CertificateException {
        check(chain, false);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
            throws CertificateException {
        try {
            check(chain, false);
        } catch (NoMemberException e) {
            refusals.accept(engine.getPeerHost() + ":" + engine.getPeerPort(), e);
            throw e;
        }
    }

    /** None are named: each member has one certificate, and shows that. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
