package dev.avocet.ha.link;

import dev.avocet.ha.trust.PairSecret;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What both ends have said before the proof, so that a proof is good for this connection, in this direction, between
 * these two nodes of this group, and for what they say of their stores.
 */
record Proof(int version, String group, String dialer, String listener, byte[] dialerNonce, byte[] listenerNonce) {
    static final int NONCE_BYTES = 32;
    static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] LABEL = "avocet link 1".getBytes(StandardCharsets.US_ASCII);
    /** HMAC fills shorter keys with zeros up to this (RFC 2104); FIPS 140 approves none under 14 bytes. */
    private static final int SHORTEST_KEY = 64;

    /** HMAC-SHA-256 of all that, under the secret. */
    byte[] of(PairSecret secret, boolean byDialer, LinkState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(byDialer);
            out.writeByte(version);
            out.writeUTF(group);
            out.writeUTF(dialer);
            out.writeUTF(listener);
            out.write(dialerNonce);
            out.write(listenerNonce);
            out.writeUTF(state.storeId());
            out.writeBoolean(state.isEmpty());
            out.writeLong(state.leadsEpoch());
            out.writeLong(state.latestEpoch());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            byte[] known = secret.bytes();
            byte[] key = Arrays.copyOf(LABEL, Math.max(SHORTEST_KEY, LABEL.length + known.length));
            System.arraycopy(known, 0, key, LABEL.length, known.length);
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(bytes.toByteArray());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is part of every Java", e);
        }
    }
}
