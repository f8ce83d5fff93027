package dev.avocet.core.tls.psk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Vector;
import org.bouncycastle.tls.BasicTlsPSKExternal;
import org.bouncycastle.tls.PRFAlgorithm;
import org.bouncycastle.tls.PSKTlsServer;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.PskIdentity;
import org.bouncycastle.tls.TlsPSKExternal;
import org.bouncycastle.tls.TlsPSKIdentityManager;
import org.bouncycastle.tls.crypto.TlsCrypto;
import org.jspecify.annotations.Nullable;

/** What the broker does in one handshake with a pre-shared key. Owned by the connection's event loop. */
public final class PskServer extends PSKTlsServer {
    private static final int DECOY_BYTES = 32;

    private final PskSuites suites;
    private final Keys keys;
    private boolean isComplete;

    public PskServer(TlsCrypto crypto, PskTable table, PskSuites suites) {
        this(crypto, new Keys(crypto, table), suites);
    }

    private PskServer(TlsCrypto crypto, Keys keys, PskSuites suites) {
        super(crypto, keys);
        this.keys = keys;
        this.suites = suites;
    }

    boolean isComplete() {
        return isComplete;
    }

    /** Whose key it was; null before the handshake is complete. */
    @Nullable String identity() {
        return isComplete ? keys.identity : null;
    }

    @Override
    protected ProtocolVersion[] getSupportedVersions() {
        return suites.versions();
    }

    @Override
    protected int[] getSupportedCipherSuites() {
        return suites.codes();
    }

    /**
     * Of TLS 1.3, where a key belongs to a hash function: SHA-256 unless both sides know otherwise [RFC 8446, 4.2.11].
     */
    @Override
    @SuppressWarnings({"JdkObsolete", "rawtypes"}) // the library's interface has it so
    public @Nullable TlsPSKExternal getExternalPSK(Vector offered) {
        if (offered.isEmpty()) {
            return null;
        }
        byte[] identity = ((PskIdentity) offered.get(0)).getIdentity();
        return new BasicTlsPSKExternal(
                identity, getCrypto().createSecret(keys.getPSK(identity)), PRFAlgorithm.tls13_hkdf_sha256);
    }

    @Override
    public void notifyHandshakeComplete() throws IOException {
        super.notifyHandshakeComplete();
        isComplete = true;
    }

    /** Looks up keys, and remembers whose. */
    private static final class Keys implements TlsPSKIdentityManager {
        private final TlsCrypto crypto;
        private final PskTable table;
        private @Nullable String identity;

        Keys(TlsCrypto crypto, PskTable table) {
            this.crypto = crypto;
            this.table = table;
        }

        @Override
        public byte @Nullable [] getHint() {
            return null;
        }

        /** One that is unknown gets a key by chance, so that it fails like a wrong key and tells nothing. */
        @Override
        public byte[] getPSK(byte[] bytes) {
            identity = new String(bytes, StandardCharsets.UTF_8);
            byte[] key = table.key(identity);
            if (key == null) {
                key = new byte[DECOY_BYTES];
                crypto.getSecureRandom().nextBytes(key);
            }
            return key;
        }
    }
}
