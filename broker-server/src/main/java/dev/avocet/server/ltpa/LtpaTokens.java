package dev.avocet.server.ltpa;

import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.LtpaVersion;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.time.Clock;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Checks LTPA tokens by the keys of one profile. A token is encrypted text of three parts with {@code %} between: who
 * the user is, until when, and the signature. Takes some 50 µs; not for event loops. Thread-safe.
 */
final class LtpaTokens {
    static final int MAX_TOKEN_CHARS = 4_096;

    private static final int AES_BYTES = 16;
    private static final int MAX_TIME_DIGITS = 15;
    private static final LoginVerdict NO_TOKEN = refused("it is empty, too long or no Base64");

    private final LTPAProfile profile;
    private final LtpaKeys keys;
    private final Clock clock;

    LtpaTokens(LTPAProfile profile, LtpaKeys keys, Clock clock) {
        this.profile = profile;
        this.keys = keys;
        this.clock = clock;
    }

    /** The verdict; what a refusal says is for the log alone. */
    LoginVerdict check(String token) {
        byte[] encrypted = decoded(token);
        if (encrypted == null) {
            return NO_TOKEN;
        }
        for (LtpaVersion version : LtpaVersion.values()) {
            String text = decrypted(encrypted, version);
            if (text != null) {
                return check(text, version);
            }
        }
        return refused("it is not encrypted with the key of KeyFileName, or was changed");
    }

    /** What the keys are, for people. */
    String described() {
        return "RSA of " + keys.publicKey().getModulus().bitLength() + " bits, "
                + (keys.realm().isEmpty() ? "no realm" : "realm '" + keys.realm() + "'");
    }

    private LoginVerdict check(String text, LtpaVersion version) {
        try {
            return profile.tokenVersions().contains(version)
                    ? check(LtpaText.parse(text), version)
                    : refused("it is an " + version + ", which is not among TokenVersions of the LTPAProfile");
        } catch (LtpaRefusedException e) {
            return refused(String.valueOf(e.getMessage()));
        }
    }

    private LoginVerdict check(LtpaText token, LtpaVersion version) throws LtpaRefusedException {
        if (!isSigned(token, version)) {
            return refused("its signature is wrong");
        }
        String signedEnd = token.attribute("expire");
        if (version == LtpaVersion.TWO && signedEnd == null) {
            return refused("the time at which it ends is not signed");
        }
        if (signedEnd != null && !signedEnd.equals(token.end())) {
            return refused("it names two times at which it ends");
        }
        Instant end = time(token.end());
        if (!Instant.ofEpochMilli(clock.wallTimeMs()).isBefore(end)) {
            return refused("it has expired at " + end);
        }
        String user = token.attribute("u");
        LtpaUser known = LtpaUser.of(user == null ? "" : user);
        String realm = profile.realm().isEmpty() ? keys.realm() : profile.realm();
        if (!realm.isEmpty() && !realm.equals(known.realm())) {
            return refused("it is of the realm '" + known.realm() + "' and not of '" + realm + "'");
        }
        String name = known.userName(profile.userIdMap());
        return new LoginVerdict.Accepted(new ClientIdentity(name, Set.of(), null), end);
    }

    private static LoginVerdict refused(String why) {
        return new LoginVerdict.Refused("the LTPA token: " + why);
    }

    /** Only the one spelling that encoders make, so that no two texts are the same token; null for no token. */
    private static byte @Nullable [] decoded(String token) {
        if (token.isEmpty() || token.length() > MAX_TOKEN_CHARS) {
            return null;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(token);
            return Base64.getEncoder().encodeToString(bytes).equals(token) ? bytes : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The text, or null when it is none. */
    private @Nullable String decrypted(byte[] encrypted, LtpaVersion version) {
        try {
            Cipher cipher;
            if (version == LtpaVersion.TWO) {
                byte[] key = Arrays.copyOf(keys.secret(), AES_BYTES);
                cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
                cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(key));
            } else {
                cipher = Cipher.getInstance("DESede/ECB/PKCS5Padding");
                cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(keys.secret(), "DESede"));
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(cipher.doFinal(encrypted)))
                    .toString();
            return LtpaText.looksLikeOne(text) ? text : null;
        } catch (GeneralSecurityException | CharacterCodingException e) {
            return null;
        }
    }

    private boolean isSigned(LtpaText token, LtpaVersion version) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest(token.signed().getBytes(StandardCharsets.UTF_8));
            byte[] signature = Base64.getDecoder().decode(token.signature());
            return version == LtpaVersion.TWO ? isSignedByRsa(digest, signature) : isSignedByIso(digest, signature);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false; // a signature of another length, mostly
        }
    }

    private boolean isSignedByRsa(byte[] digest, byte[] signature) throws GeneralSecurityException {
        Signature rsa = Signature.getInstance("SHA1withRSA");
        rsa.initVerify(keys.publicKey());
        rsa.update(digest);
        return rsa.verify(signature);
    }

    /** A signature is the smaller one of two numbers, so what comes out of it is the block or its complement. */
    private boolean isSignedByIso(byte[] digest, byte[] signature) {
        BigInteger modulus = keys.publicKey().getModulus();
        BigInteger number = new BigInteger(1, signature);
        if (number.shiftLeft(1).compareTo(modulus) > 0) {
            return false;
        }
        BigInteger found = number.modPow(keys.publicKey().getPublicExponent(), modulus);
        BigInteger wanted = IsoBlock.of(digest, modulus.bitLength());
        return found.equals(wanted) || modulus.subtract(found).equals(wanted);
    }

    private static Instant time(String digits) throws LtpaRefusedException {
        boolean number = !digits.isEmpty()
                && digits.length() <= MAX_TIME_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number) {
            throw new LtpaRefusedException("it does not say when it ends");
        }
        return Instant.ofEpochMilli(Long.parseLong(digits));
    }
}
