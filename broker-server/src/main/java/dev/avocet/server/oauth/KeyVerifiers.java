package dev.avocet.server.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * What checks signatures by public keys of servers. Bouncy Castle takes a tenth of the time that Java 17 takes for a
 * signature by an elliptic key, so it does that, unless the providers of the runtime have to do all of it. Thread-safe.
 */
final class KeyVerifiers {
    /** More than servers have; when there are more, as keys have changed over and over, all are made anew. */
    private static final int MOST = 1_000;

    private static final String ELLIPTIC = "EC";

    private final boolean fips;
    private final Map<PublicKey, JWSVerifier> known = new ConcurrentHashMap<>();

    private KeyVerifiers(boolean fips) {
        this.fips = fips;
    }

    /** @param fips whether the providers of the runtime have to do all of it */
    static KeyVerifiers of(boolean fips) {
        return new KeyVerifiers(fips);
    }

    /** For a key of RSA or of an elliptic curve. */
    JWSVerifier of(PublicKey key) throws JOSEException, GeneralSecurityException {
        JWSVerifier found = known.get(key);
        if (found == null) {
            if (known.size() >= MOST) {
                known.clear();
            }
            found = key instanceof RSAPublicKey rsa ? new RSASSAVerifier(rsa) : elliptic((ECPublicKey) key);
            known.put(key, found);
        }
        return found;
    }

    private JWSVerifier elliptic(ECPublicKey key) throws JOSEException, GeneralSecurityException {
        if (fips) {
            return new ECDSAVerifier(key);
        }
        Provider provider = Quick.PROVIDER;
        // In its own form, so that the key is not read anew for each signature.
        PublicKey own =
                KeyFactory.getInstance(ELLIPTIC, provider).generatePublic(new X509EncodedKeySpec(key.getEncoded()));
        ECDSAVerifier verifier = new ECDSAVerifier((ECPublicKey) own);
        verifier.getJCAContext().setProvider(provider);
        return verifier;
    }

    /**
     * Of its own: a broker without such keys starts without it, and its library is not there where a validated one is
     * in its place.
     */
    private static final class Quick {
        static final Provider PROVIDER = new BouncyCastleProvider();
    }
}
