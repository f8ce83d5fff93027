package dev.avocet.core.tls.psk;

import dev.avocet.core.tls.key.TlsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Identities and their keys. The file has a line {@code IDENTITY,KEY} for each, the key in hexadecimal digits. Empty
 * lines, and those that begin with {@code #}, are passed over. Immutable; no text of it shows a key.
 */
public final class PskTable {
    private static final long MAX_BYTES = 256L << 20;
    private static final int MAX_IDENTITY_BYTES = 127;
    private static final int MIN_KEY_BYTES = 4;
    private static final int MAX_KEY_BYTES = 256;

    private final Map<String, byte[]> keys;

    private PskTable(Map<String, byte[]> keys) {
        this.keys = keys;
    }

    /** Blocks on the disk. */
    public static PskTable read(Path file) throws TlsException {
        Map<String, byte[]> keys = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            if (Files.size(file) > MAX_BYTES) {
                throw new TlsException(file + " is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String text = line.strip();
                if (!text.isEmpty() && !text.startsWith("#")) {
                    add(keys, text, file + ", line " + number);
                }
            }
        } catch (NoSuchFileException e) {
            throw new TlsException("there is no file " + file, e);
        } catch (CharacterCodingException e) {
            throw new TlsException(file + " is not text in UTF-8", e);
        } catch (IOException e) {
            throw new TlsException(file + " cannot be read: " + e.getMessage(), e);
        }
        return new PskTable(keys);
    }

    public int size() {
        return keys.size();
    }

    /** A copy, as those who use it wipe it; null when the identity is unknown. */
    byte @Nullable [] key(String identity) {
        byte[] key = keys.get(identity);
        return key == null ? null : key.clone();
    }

    private static void add(Map<String, byte[]> keys, String line, String where) throws TlsException {
        int comma = line.lastIndexOf(',');
        if (comma < 1) {
            throw new TlsException(where + ": a line is IDENTITY,KEY");
        }
        String identity = line.substring(0, comma).strip();
        if (identity.isEmpty() || identity.getBytes(StandardCharsets.UTF_8).length > MAX_IDENTITY_BYTES) {
            throw new TlsException(where + ": an identity has 1 to " + MAX_IDENTITY_BYTES + " bytes");
        }
        String digits = line.substring(comma + 1).strip();
        if (digits.isEmpty()) {
            keys.remove(identity); // as in files of the reference, which say so of identities that are gone
        } else if (keys.put(identity, key(digits, where)) != null) {
            throw new TlsException(where + ": the identity stands in an earlier line as well; leave one of them out");
        }
    }

    private static byte[] key(String digits, String where) throws TlsException {
        byte[] key;
        try {
            key = HexFormat.of().parseHex(digits);
        } catch (IllegalArgumentException e) {
            // Without the cause, which shows the digits.
            throw new TlsException(where + ": a key is hexadecimal digits, two for each byte");
        }
        if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) {
            throw new TlsException(where + ": a key has " + MIN_KEY_BYTES + " to " + MAX_KEY_BYTES + " bytes");
        }
        return key;
    }

    @Override
    public String toString() {
        return "PskTable[" + keys.size() + " identities]";
    }
}
