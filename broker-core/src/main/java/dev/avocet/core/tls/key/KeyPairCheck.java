package dev.avocet.core.tls.key;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;

/** Finds out before the first handshake that a key belongs to another certificate. */
final class KeyPairCheck {
    private static final byte[] SAMPLE = new byte[32];

    private KeyPairCheck() {}

    static void check(CertifiedKey certified, KeySource source) throws TlsException {
        boolean fits;
        try {
            String algorithm = algorithm(certified.key());
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(certified.key());
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(certified.certificate().getPublicKey());
            signature.update(SAMPLE);
            fits = signature.verify(signed);
        } catch (GeneralSecurityException e) {
            fits = false;
        }
        if (!fits) {
            throw new TlsException("the key in "
                    + source.files().get(source.files().size() - 1) + " does not belong to the first certificate in "
                    + source.files().get(0));
        }
    }

    private static String algorithm(PrivateKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC", "ECDSA" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }
}
