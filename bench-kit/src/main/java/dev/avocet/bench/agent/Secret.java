package dev.avocet.bench.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What both sides know and no third one. Immutable. */
final class Secret {
    static final int NONCE_BYTES = 32;
    private static final int LEAST_BYTES = 16;
    private static final int MOST_BYTES = 4096;
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws IllegalArgumentException if the file is not there, or has too little in it */
    static Secret read(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException("--secret-file " + file + " has more than " + MOST_BYTES + " bytes");
            }
            return of(Files.readString(file, StandardCharsets.UTF_8).strip());
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("--secret-file " + file + " cannot be read", unreadable);
        }
    }

    static Secret of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < LEAST_BYTES) {
            throw new IllegalArgumentException("the secret has less than " + LEAST_BYTES
                    + " bytes; make one with: head -c 32 /dev/urandom | base64 > FILE");
        }
        return new Secret(bytes);
    }

    /** For one process that talks to itself. */
    static Secret random() {
        return new Secret(nonce());
    }

    /** Where certificates of both sides are proof enough. */
    static Secret none() {
        return new Secret(new byte[1]);
    }

    static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return nonce;
    }

    /** @param purpose so that what is proof of one thing is none of another */
    byte[] code(String purpose, byte[] agentNonce, byte[] controllerNonce) {
        Mac mac = mac(bytes);
        mac.update(purpose.getBytes(StandardCharsets.UTF_8));
        mac.update(agentNonce);
        return mac.doFinal(controllerNonce);
    }

    static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Takes as long whether they are alike or not. */
    static boolean areEqual(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }
}
