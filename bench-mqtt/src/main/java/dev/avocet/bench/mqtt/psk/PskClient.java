package dev.avocet.bench.mqtt.psk;

import java.io.IOException;
import java.util.Vector;
import org.bouncycastle.tls.AlertDescription;
import org.bouncycastle.tls.BasicTlsPSKExternal;
import org.bouncycastle.tls.BasicTlsPSKIdentity;
import org.bouncycastle.tls.PRFAlgorithm;
import org.bouncycastle.tls.PSKTlsClient;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.TlsAuthentication;
import org.bouncycastle.tls.TlsFatalAlert;
import org.bouncycastle.tls.crypto.TlsCrypto;

/** What one client offers in its handshake, and how that went. Owned by the connection's event loop. */
final class PskClient extends PSKTlsClient {
    private final PreSharedKey preShared;
    private final ProtocolVersion[] versions;
    private final int[] suites;
    private boolean isComplete;

    PskClient(TlsCrypto crypto, PreSharedKey preShared, ProtocolVersion[] versions, int[] suites) {
        super(crypto, new BasicTlsPSKIdentity(preShared.identity(), preShared.key()));
        this.preShared = preShared;
        this.versions = versions;
        this.suites = suites;
    }

    boolean isComplete() {
        return isComplete;
    }

    @Override
    protected ProtocolVersion[] getSupportedVersions() {
        return versions;
    }

    @Override
    protected int[] getSupportedCipherSuites() {
        return suites;
    }

    /**
     * Of TLS 1.3, where a key belongs to a hash function: SHA-256 unless both sides agree on another [RFC 8446,
     * 4.2.11].
     */
    @Override
    @SuppressWarnings({"JdkObsolete", "rawtypes"}) // the library's interface has it so
    public Vector getExternalPSKs() {
        Vector<BasicTlsPSKExternal> offered = new Vector<>();
        offered.add(new BasicTlsPSKExternal(
                preShared.identity(),
                getCrypto().createSecret(preShared.key().clone()),
                PRFAlgorithm.tls13_hkdf_sha256));
        return offered;
    }

    /** Asked for by a server that takes no pre-shared key and shows a certificate instead. */
    @Override
    public TlsAuthentication getAuthentication() throws IOException {
        throw new TlsFatalAlert(AlertDescription.handshake_failure, "the server takes no pre-shared key");
    }

    @Override
    public void notifyHandshakeComplete() throws IOException {
        super.notifyHandshakeComplete();
        isComplete = true;
    }
}
