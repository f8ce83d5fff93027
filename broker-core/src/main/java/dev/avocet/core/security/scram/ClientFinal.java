package dev.avocet.core.security.scram;

import dev.avocet.core.security.user.ScramHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A client-final-message (RFC 5802 section 7). */
final class ClientFinal {
    private final byte[] channelBinding;
    private final String nonce;
    private final byte[] proof;
    private final String withoutProof;

    private ClientFinal(byte[] channelBinding, String nonce, byte[] proof, String withoutProof) {
        this.channelBinding = channelBinding;
        this.nonce = nonce;
        this.proof = proof;
        this.withoutProof = withoutProof;
    }

    static ClientFinal parse(byte[] message) throws ScramFormatException {
        String text = ScramText.decode(message);
        int proofAt = text.lastIndexOf(",p=");
        if (proofAt < 0) {
            throw ScramText.malformed();
        }
        String withoutProof = text.substring(0, proofAt);
        String[] attributes = withoutProof.split(",", -1);
        byte[] proof = ScramText.base64(ScramText.value('p', text.substring(proofAt + 1)));
        if (attributes.length < 2 || proof.length != ScramHash.KEY_BYTES) {
            throw ScramText.malformed();
        }
        byte[] channelBinding = ScramText.base64(ScramText.value('c', attributes[0]));
        return new ClientFinal(channelBinding, ScramText.value('r', attributes[1]), proof, withoutProof);
    }

    /** True when the client repeats what was agreed in the first two messages. */
    boolean repeats(String gs2Header, String wholeNonce) {
        return MessageDigest.isEqual(channelBinding, gs2Header.getBytes(StandardCharsets.UTF_8))
                && nonce.equals(wholeNonce);
    }

    byte[] proof() {
        return proof;
    }

    String withoutProof() {
        return withoutProof;
    }
}
