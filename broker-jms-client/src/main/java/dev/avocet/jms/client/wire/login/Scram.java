package dev.avocet.jms.client.wire.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.security.sasl.SaslException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.sasl.client.Mechanism;
import org.apache.qpid.protonj2.engine.sasl.client.SaslCredentialsProvider;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of SCRAM without channel binding [RFC 5802, RFC 7677]. That of ProtonJ2 takes neither a name or
 * password beyond ASCII, nor refuses a server that asks for a thousand million iterations.
 *
 * <p>One for each login, owned by the event loop of its line.
 */
final class Scram implements Mechanism {
    /** As many as our broker has in a verifier: some seconds of processor time. */
    static final int MAX_ITERATIONS = 10_000_000;

    private static final Map<String, Hash> HASHES = Map.of(
            "SCRAM-SHA-1", new Hash("SHA-1", "HmacSHA1", 20),
            "SCRAM-SHA-256", new Hash("SHA-256", "HmacSHA256", 32),
            "SCRAM-SHA-512", new Hash("SHA-512", "HmacSHA512", 64));
    private static final String GS2_HEADER = "n,,";
    private static final int NONCE_BYTES = 18;

    private final String name;
    private final Hash hash;
    private final String nonce;
    private State state = State.INITIAL;
    private String firstBare = "";
    private byte @Nullable [] expectedSignature;

    private enum State {
        INITIAL,
        FIRST_SENT,
        PROOF_SENT,
        SERVER_PROVED
    }

    private record Hash(String digest, String hmac, int bytes) {}

    private Scram(final String name, final Hash hash, final String nonce) {
        this.name = name;
        this.hash = hash;
        this.nonce = nonce;
    }

    /** The mechanism of that name with a new nonce; null when it is no SCRAM that is known here. */
    static @Nullable Scram of(final String name) {
        final byte[] random = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(random);
        return of(name, Base64.getEncoder().encodeToString(random));
    }

    static @Nullable Scram of(final String name, final String nonce) {
        final Hash hash = HASHES.get(name);
        return hash == null ? null : new Scram(name, hash, nonce);
    }

    @Override
    public Symbol getName() {
        return Symbol.valueOf(name);
    }

    @Override
    public boolean isApplicable(final SaslCredentialsProvider credentials) {
        return !credentials.username().isEmpty() && !credentials.password().isEmpty();
    }

    @Override
    public boolean isEnabledByDefault() {
        return true;
    }

    @Override
    public ProtonBuffer getInitialResponse(final SaslCredentialsProvider credentials) {
        firstBare = "n=" + prepared(credentials.username()).replace("=", "=3D").replace(",", "=2C") + ",r=" + nonce;
        state = State.FIRST_SENT;
        return bytes(GS2_HEADER + firstBare);
    }

    /**
     * Takes the first message of the server, and answers with the proof; then its last one, and answers with nothing.
     */
    @Override
    public ProtonBuffer getChallengeResponse(final SaslCredentialsProvider credentials, final ProtonBuffer challenge)
            throws SaslException {
        final String message = challenge.toString(StandardCharsets.UTF_8);
        switch (state) {
            case FIRST_SENT -> {
                state = State.PROOF_SENT;
                return bytes(proof(prepared(credentials.password()), message));
            }
            case PROOF_SENT -> {
                checkSignature(message);
                state = State.SERVER_PROVED;
                return bytes("");
            }
            default -> throw new SaslException("the server sent a challenge out of turn");
        }
    }

    @Override
    public void verifyCompletion() throws SaslException {
        if (state != State.SERVER_PROVED) {
            throw new SaslException("the server has not sent its signature");
        }
    }

    private String proof(final String password, final String serverFirst) throws SaslException {
        final String[] attributes = serverFirst.split(",", -1);
        if (attributes.length < 3) {
            throw new SaslException("its first message is not one of " + name);
        }
        final String wholeNonce = value("r=", attributes[0]);
        if (!wholeNonce.startsWith(nonce) || wholeNonce.length() == nonce.length()) {
            throw new SaslException("its nonce does not continue that of the client");
        }
        final byte[] salt = base64(value("s=", attributes[1]));
        final int iterations = iterations(value("i=", attributes[2]));
        final String withoutProof = "c=" + Base64.getEncoder().encodeToString(utf8(GS2_HEADER)) + ",r=" + wholeNonce;
        final byte[] authMessage = utf8(firstBare + "," + serverFirst + "," + withoutProof);
        try {
            final byte[] salted = salted(password, salt, iterations);
            final byte[] clientKey = hmac(salted, utf8("Client Key"));
            final byte[] storedKey = MessageDigest.getInstance(hash.digest()).digest(clientKey);
            final byte[] clientProof = hmac(storedKey, authMessage);
            for (int i = 0; i < clientProof.length; i++) {
                clientProof[i] ^= clientKey[i];
            }
            expectedSignature = hmac(hmac(salted, utf8("Server Key")), authMessage);
            return withoutProof + ",p=" + Base64.getEncoder().encodeToString(clientProof);
        } catch (final GeneralSecurityException e) {
            throw new SaslException("this Java runtime cannot compute " + name + ": " + e.getMessage(), e);
        }
    }

    private void checkSignature(final String serverFinal) throws SaslException {
        final String first = serverFinal.split(",", -1)[0];
        if (first.startsWith("e=")) {
            throw new SaslException("it says " + first);
        }
        if (!MessageDigest.isEqual(expectedSignature, base64(value("v=", first)))) {
            throw new SaslException("its signature is wrong");
        }
    }

    private byte[] salted(final String password, final byte[] salt, final int iterations)
            throws GeneralSecurityException {
        final PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, hash.bytes() * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance("PBKDF2With" + hash.hmac())
                    .generateSecret(spec)
                    .getEncoded();
        } finally {
            spec.clearPassword();
        }
    }

    private byte[] hmac(final byte[] key, final byte[] message) throws GeneralSecurityException {
        final Mac mac = Mac.getInstance(hash.hmac());
        mac.init(new SecretKeySpec(key, hash.hmac()));
        return mac.doFinal(message);
    }

    private String value(final String attribute, final String text) throws SaslException {
        if (!text.startsWith(attribute) || text.length() == attribute.length()) {
            throw new SaslException("its message is not one of " + name + ": " + attribute + " is missing");
        }
        return text.substring(attribute.length());
    }

    private static byte[] base64(final String text) throws SaslException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (final IllegalArgumentException e) {
            throw new SaslException("its message holds no Base64", e);
        }
    }

    private static int iterations(final String text) throws SaslException {
        try {
            final int iterations = Integer.parseInt(text);
            if (iterations >= 1 && iterations <= MAX_ITERATIONS) {
                return iterations;
            }
        } catch (final NumberFormatException e) {
            throw new SaslException("its count of iterations is not a number that is taken here", e);
        }
        throw new SaslException("it asks for " + text + " iterations; 1 to " + MAX_ITERATIONS + " are taken");
    }

    /**
     * SASLprep as far as it changes a text [RFC 4013 section 2.1 and 2.2]: what it forbids no server has among its
     * users.
     */
    static String prepared(final String text) {
        if (text.chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
            return text;
        }
        final StringBuilder mapped = new StringBuilder(text.length());
        text.codePoints()
                .filter(c -> !isMappedToNothing(c))
                .forEach(c -> mapped.appendCodePoint(Character.getType(c) == Character.SPACE_SEPARATOR ? ' ' : c));
        return Normalizer.normalize(mapped, Normalizer.Form.NFKC);
    }

    /** RFC 3454 table B.1. */
    private static boolean isMappedToNothing(final int c) {
        return c == 0x00ad
                || c == 0x034f
                || c == 0x1806
                || c >= 0x180b && c <= 0x180d
                || c >= 0x200b && c <= 0x200d
                || c == 0x2060
                || c >= 0xfe00 && c <= 0xfe0f
                || c == 0xfeff;
    }

    private static ProtonBuffer bytes(final String text) {
        return ProtonByteArrayBufferAllocator.wrapped(utf8(text));
    }

    private static byte[] utf8(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
