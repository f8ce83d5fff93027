package dev.avocet.core.tls.key;

import io.netty.handler.ssl.OpenSslPrivateKeyMethod;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import javax.crypto.Cipher;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * What BoringSSL leaves to {@link NativeSignatures} in a handshake: all that needs the private RSA key. That is most of
 * what a full handshake with such a key costs. Called by the event loops.
 */
public final class NativeRsaKey implements OpenSslPrivateKeyMethod {
    private static final int NO_TRAILER_CHOICE = 1;

    private final PrivateKey key;
    private final Provider provider;

    private NativeRsaKey(PrivateKey key, Provider provider) {
        this.key = key;
        this.provider = provider;
    }

    /** Null where BoringSSL uses the key itself: it is of another kind, or there is no such library. */
    public static @Nullable NativeRsaKey of(PrivateKey key) {
        if (!"RSA".equals(key.getAlgorithm()) || key.getEncoded() == null) {
            return null;
        }
        Provider provider = NativeSignatures.provider();
        if (provider == null) {
            return null;
        }
        try {
            PrivateKey known =
                    KeyFactory.getInstance("RSA", provider).generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
            return new NativeRsaKey(known, provider);
        } catch (GeneralSecurityException e) {
            return null; // a length that the library does not take
        }
    }

    @Override
    public byte[] sign(SSLEngine engine, int algorithm, byte[] input) throws GeneralSecurityException {
        Signature signature = signature(algorithm);
        signature.initSign(key);
        signature.update(input);
        return signature.sign();
    }

    /** Of key exchange by RSA; BoringSSL takes the padding off. */
    @Override
    public byte[] decrypt(SSLEngine engine, byte[] input) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/NoPadding", provider);
        cipher.init(Cipher.DECRYPT_MODE, key);
        return cipher.doFinal(input);
    }

    private Signature signature(int algorithm) throws GeneralSecurityException {
        if (algorithm == SSL_SIGN_RSA_PKCS1_SHA1) {
            return Signature.getInstance("SHA1withRSA", provider);
        } else if (algorithm == SSL_SIGN_RSA_PKCS1_SHA256) {
            return Signature.getInstance("SHA256withRSA", provider);
        } else if (algorithm == SSL_SIGN_RSA_PKCS1_SHA384) {
            return Signature.getInstance("SHA384withRSA", provider);
        } else if (algorithm == SSL_SIGN_RSA_PKCS1_SHA512) {
            return Signature.getInstance("SHA512withRSA", provider);
        } else if (algorithm == SSL_SIGN_RSA_PSS_RSAE_SHA256) {
            return pss("SHA-256", MGF1ParameterSpec.SHA256, 32);
        } else if (algorithm == SSL_SIGN_RSA_PSS_RSAE_SHA384) {
            return pss("SHA-384", MGF1ParameterSpec.SHA384, 48);
        } else if (algorithm == SSL_SIGN_RSA_PSS_RSAE_SHA512) {
            return pss("SHA-512", MGF1ParameterSpec.SHA512, 64);
        }
        throw new GeneralSecurityException(
                "a TLS client asks for a signature of kind " + algorithm + ", which is not an RSA signature");
    }

    private Signature pss(String digest, AlgorithmParameterSpec mask, int saltBytes) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("RSASSA-PSS", provider);
        signature.setParameter(new PSSParameterSpec(digest, "MGF1", mask, saltBytes, NO_TRAILER_CHOICE));
        return signature;
    }
}
