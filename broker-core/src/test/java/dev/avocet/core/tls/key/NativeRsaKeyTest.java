package dev.avocet.core.tls.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslPrivateKeyMethod;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the native library makes with an RSA key, held against the Java runtime. */
class NativeRsaKeyTest {
    private static final byte[] TEXT = "to be signed".getBytes(StandardCharsets.UTF_8);
    private static final KeyPair KEYS = rsa();

    private final NativeRsaKey key = NativeRsaKey.of(KEYS.getPrivate());

    @BeforeAll
    static void loadBoringSsl() {
        OpenSsl.ensureAvailability(); // which numbers the kinds of signatures
    }

    @ParameterizedTest
    @MethodSource
    void shouldSignAsTls12Wants(int kind, String algorithm) throws GeneralSecurityException {
        byte[] signed = key.sign(null, kind, TEXT);

        assertThat(isGood(signed, algorithm, null)).isTrue();
    }

    static List<Arguments> shouldSignAsTls12Wants() {
        return List.of(
                arguments(OpenSslPrivateKeyMethod.SSL_SIGN_RSA_PKCS1_SHA1, "SHA1withRSA"),
                arguments(OpenSslPrivateKeyMethod.SSL_SIGN_RSA_PKCS1_SHA256, "SHA256withRSA"),
                arguments(OpenSslPrivateKeyMethod.SSL_SIGN_RSA_PKCS1_SHA384, "SHA384withRSA"),
                arguments(OpenSslPrivateKeyMethod.SSL_SIGN_RSA_PKCS1_SHA512, "SHA512withRSA"));
    }

    @ParameterizedTest
    @MethodSource
    void shouldSignAsTls13Wants(int kind, String digest, int saltBytes) throws GeneralSecurityException {
        byte[] signed = key.sign(null, kind, TEXT);

        PSSParameterSpec parameters = new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(digest), saltBytes, 1);
        assertThat(isGood(signed, "RSASSA-PSS", parameters)).isTrue();
    }

    static List<Arguments> shouldSignAsTls13Wants() {
        return List.of(
                arguments(OpenSslPrivateKeyMethod.SSL_SIGN_RSA_PSS_RSAE_SHA256, "SHA-256", 32),
                arguments(OpenSslPrivateKeyMethod.SSL_SIGN_RSA_PSS_RSAE_SHA384, "SHA-384", 48),
                arguments(OpenSslPrivateKeyMethod.SSL_SIGN_RSA_PSS_RSAE_SHA512, "SHA-512", 64));
    }

    @Test
    void shouldDecryptWhatKeyExchangeByRsaBrings() throws GeneralSecurityException {
        byte[] padded = new byte[256];
        padded[1] = 2;
        padded[255] = 7;
        Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, KEYS.getPublic());

        assertThat(key.decrypt(null, cipher.doFinal(padded))).isEqualTo(padded);
    }

    @Test
    void shouldRefuseWhatIsNoSignatureOfRsa() {
        assertThatThrownBy(() -> key.sign(null, OpenSslPrivateKeyMethod.SSL_SIGN_ED25519, TEXT))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("which is not an RSA signature");
    }

    @Test
    void shouldLeaveOtherKeysToBoringSsl() throws GeneralSecurityException {
        assertThat(NativeRsaKey.of(
                        KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate()))
                .isNull();
    }

    private static boolean isGood(byte[] signed, String algorithm, @Nullable PSSParameterSpec parameters)
            throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        if (parameters != null) {
            signature.setParameter(parameters);
        }
        signature.initVerify(KEYS.getPublic());
        signature.update(TEXT);
        return signature.verify(signed);
    }

    private static KeyPair rsa() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
