package dev.avocet.server.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/** A file of the console as it is sent: plain, or compressed for browsers that take that. Immutable. */
final class ConsoleFile {
    private static final int TAG_CHARACTERS = 20;
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "txt", "text/plain; charset=utf-8");

    private final String type;
    private final byte[] plain;
    private final byte[] compressed;
    private final String tag;

    private ConsoleFile(String type, byte[] plain, byte[] compressed, String tag) {
        this.type = type;
        this.plain = plain;
        this.compressed = compressed;
        this.tag = tag;
    }

    static ConsoleFile of(String name, byte[] content) {
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        String type = Objects.requireNonNull(TYPES.get(ending), () -> "no media type is known for " + name);
        return new ConsoleFile(type, content, compress(content), tag(content));
    }

    String type() {
        return type;
    }

    byte[] content(boolean asCompressed) {
        return (asCompressed ? compressed : plain).clone();
    }

    /** Changes with the content, in the form of HTTP. */
    String tag(boolean asCompressed) {
        return '"' + tag + (asCompressed ? "-gzip\"" : "\"");
    }

    private static byte[] compress(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static String tag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest).substring(0, TAG_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", e);
        }
    }
}
