package dev.avocet.server.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import dev.avocet.core.config.object.security.TokenAlgorithm;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a JWKS (RFC 7517) by which signatures can be checked. Others are left out: secret ones, those for
 * encryption, weak ones, and those of unknown kinds. Immutable.
 */
record PublicKeys(List<Entry> entries) {
    static final PublicKeys NONE = new PublicKeys(List.of());
    private static final int MOST = 100;
    private static final int LEAST_RSA_BITS = 2_048;
    /** What stands before the 32 bytes of a key in its X.509 form (RFC 8410). */
    private static final byte[] ED25519_PREFIX = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0};

    private static final Set<TokenAlgorithm> RSA = EnumSet.of(
            TokenAlgorithm.RS256,
            TokenAlgorithm.RS384,
            TokenAlgorithm.RS512,
            TokenAlgorithm.PS256,
            TokenAlgorithm.PS384,
            TokenAlgorithm.PS512);
    private static final Map<Curve, TokenAlgorithm> BY_CURVE = Map.of(
            Curve.P_256,
            TokenAlgorithm.ES256,
            Curve.P_384,
            TokenAlgorithm.ES384,
            Curve.P_521,
            TokenAlgorithm.ES512,
            Curve.Ed25519,
            TokenAlgorithm.ED_DSA);

    PublicKeys {
        entries = List.copyOf(entries);
    }

    /** @throws ParseException when it is no JWKS, or holds no key that can be used */
    static PublicKeys parse(byte[] json) throws ParseException {
        List<Entry> entries = new ArrayList<>();
        for (JWK key : JWKSet.parse(new String(json, StandardCharsets.UTF_8)).getKeys()) {
            Entry entry = entry(key);
            if (entry != null && entries.size() < MOST) {
                entries.add(entry);
            }
        }
        if (entries.isEmpty()) {
            throw new ParseException("it holds no public key by which tokens can be checked", 0);
        }
        return new PublicKeys(entries);
    }

    /** The keys that may have signed a token. */
    List<PublicKey> of(@Nullable String id, TokenAlgorithm algorithm) {
        return entries.stream()
                .filter(entry -> entry.algorithms.contains(algorithm) && (id == null || id.equals(entry.id)))
                .map(Entry::key)
                .toList();
    }

    private static @Nullable Entry entry(JWK jwk) {
        if (jwk.getKeyUse() != null && !jwk.getKeyUse().equals(KeyUse.SIGNATURE)) {
            return null;
        }
        try {
            Set<TokenAlgorithm> algorithms = EnumSet.noneOf(TokenAlgorithm.class);
            PublicKey key = key(jwk, algorithms);
            if (jwk.getAlgorithm() != null) {
                String only = jwk.getAlgorithm().getName();
                algorithms.removeIf(algorithm -> !algorithm.toString().equals(only));
            }
            return key == null || algorithms.isEmpty() ? null : new Entry(jwk.getKeyID(), algorithms, key);
        } catch (JOSEException | GeneralSecurityException e) {
            return null;
        }
    }

    /** @param algorithms filled with those that the key is for */
    private static @Nullable PublicKey key(JWK jwk, Set<TokenAlgorithm> algorithms)
            throws JOSEException, GeneralSecurityException {
        if (jwk instanceof RSAKey rsa && rsa.size() >= LEAST_RSA_BITS) {
            algorithms.addAll(RSA);
            return rsa.toRSAPublicKey();
        }
        Curve curve =
                jwk instanceof ECKey ec ? ec.getCurve() : jwk instanceof OctetKeyPair pair ? pair.getCurve() : null;
        TokenAlgorithm algorithm = curve == null ? null : BY_CURVE.get(curve);
        if (algorithm == null) {
            return null;
        }
        algorithms.add(algorithm);
        return jwk instanceof ECKey ec ? ec.toECPublicKey() : edwards(((OctetKeyPair) jwk).getDecodedX());
    }

    private static @Nullable PublicKey edwards(byte[] x) throws GeneralSecurityException {
        if (x.length != 32) {
            return null;
        }
        byte[] encoded = new byte[ED25519_PREFIX.length + x.length];
        System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
        System.arraycopy(x, 0, encoded, ED25519_PREFIX.length, x.length);
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    }

    /**
     * One key.
     *
     * @param id its {@code kid}, or null
     * @param algorithms it may have signed with
     */
    record Entry(@Nullable String id, Set<TokenAlgorithm> algorithms, PublicKey key) {
        Entry {
            algorithms = Set.copyOf(algorithms);
        }
    }
}
