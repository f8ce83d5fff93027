package dev.avocet.bench.mqtt.psk;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A file of identities and keys: on each line one of both with a comma between them, or a colon as Mosquitto's
 * {@code psk_file} has it; the key in hexadecimal digits. Empty lines, and those that begin with {@code #}, are passed
 * over.
 */
final class PskFile {
    private static final int MAX_BYTES = 0xFFFF;

    private PskFile() {}

    /** @throws IllegalArgumentException when it cannot be used; says where, and never what the key is */
    static List<PreSharedKey> read(Path file) {
        List<PreSharedKey> keys = new ArrayList<>();
        int number = 0;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    keys.add(key(line.strip(), file + ", line " + number));
                }
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("--psk-file: " + file + " cannot be read", unreadable);
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("--psk-file: " + file + " has no keys; its lines are IDENTITY,KEY");
        }
        return keys;
    }

    private static PreSharedKey key(String line, String where) {
        // A key has neither of these, an identity may.
        int at = Math.max(line.lastIndexOf(','), line.lastIndexOf(':'));
        byte[] identity = line.substring(0, Math.max(at, 0)).strip().getBytes(StandardCharsets.UTF_8);
        if (at < 0 || identity.length == 0 || identity.length > MAX_BYTES) {
            throw new IllegalArgumentException("--psk-file: " + where + ": a line is IDENTITY,KEY");
        }
        return new PreSharedKey(identity, bytes(line.substring(at + 1).strip(), where));
    }

    private static byte[] bytes(String hex, String where) {
        try {
            byte[] key = HexFormat.of().parseHex(hex);
            if (key.length > 0 && key.length <= MAX_BYTES) {
                return key;
            }
        } catch (IllegalArgumentException notHexadecimal) {
            // Its message has the key in it.
        }
        throw new IllegalArgumentException("--psk-file: " + where + ": a key is hexadecimal digits, two for each byte");
    }
}
