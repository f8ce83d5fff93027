package dev.avocet.server.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signatures by elliptic keys, as the quick library checks them and as the runtime does. */
class KeyVerifiersTest {
    @ParameterizedTest
    @CsvSource({"ES256,false", "ES384,false", "ES512,false", "ES256,true", "ES384,true", "ES512,true"})
    void shouldTakeRightSignaturesAlone(String algorithm, boolean fips) throws Exception {
        // given
        JWSAlgorithm signedBy = JWSAlgorithm.parse(algorithm);
        Curve curve = Curve.forJWSAlgorithm(signedBy).iterator().next();
        ECKey key = new ECKeyGenerator(curve).generate();
        KeyVerifiers verifiers = KeyVerifiers.of(fips);
        JWSObject token = new JWSObject(new JWSHeader(signedBy), new Payload("anna"));
        token.sign(new ECDSASigner(key));

        // then
        assertThat(verify(verifiers, key, token, token.getSignature().decode())).isTrue();
        byte[] changed = token.getSignature().decode();
        changed[changed.length - 1] ^= 1;
        assertThat(verify(verifiers, key, token, changed)).isFalse();
        assertThat(verify(verifiers, key, token, new byte[changed.length]))
                .as("nothing but zeroes")
                .isFalse();
        ECKey other = new ECKeyGenerator(curve).generate();
        assertThat(verify(verifiers, other, token, token.getSignature().decode()))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void shouldMakeOneVerifierForAKeyAndRefuseAnotherCurve(boolean fips) throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        KeyVerifiers verifiers = KeyVerifiers.of(fips);
        JWSVerifier first = verifiers.of(key.toECPublicKey());

        assertThat(verifiers.of(ECKey.parse(key.toJSONObject()).toECPublicKey()))
                .isSameAs(first);
        JWSObject token = new JWSObject(new JWSHeader(JWSAlgorithm.ES384), new Payload("anna"));
        token.sign(new ECDSASigner(new ECKeyGenerator(Curve.P_384).generate()));
        assertThatThrownBy(() -> token.verify(first)).isInstanceOf(JOSEException.class);
    }

    private static boolean verify(KeyVerifiers verifiers, ECKey key, JWSObject token, byte[] signature)
            throws JOSEException, GeneralSecurityException {
        return verifiers
                .of(key.toECPublicKey())
                .verify(token.getHeader(), token.getSigningInput(), Base64URL.encode(signature));
    }
}
