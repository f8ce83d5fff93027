package dev.avocet.server.export;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.ConfigurationTree;
import dev.avocet.core.tls.ticket.AgedKeys;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.JsonText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * What is in an export, once it is opened.
 *
 * @param configuration all objects, with the verifiers of passwords
 * @param files what lies in {@code data/security} and {@code data/files}, by folder and name
 * @param tickets the keys of session tickets, by endpoint; none but between the nodes of a pair
 */
record ExportContent(Configuration configuration, Map<String, byte[]> files, Map<String, AgedKeys> tickets) {
    private static final String FORMAT = "Format";
    private static final long THIS_FORMAT = 1;
    private static final String CONFIGURATION = "Configuration";
    private static final String FILES = "Files";
    /** Builds that do not know it pass over it. */
    private static final String TICKETS = "TicketKeys";
    /** More than any broker has; a smaller file could unfold to more than the heap. */
    private static final int LARGEST_BYTES = 64 << 20;

    ExportContent {
        files = new TreeMap<>(files);
        tickets = new TreeMap<>(tickets);
    }

    /** For a file, which has no keys of session tickets. */
    ExportContent(Configuration configuration, Map<String, byte[]> files) {
        this(configuration, files, Map.of());
    }

    /** JSON in gzip. */
    byte[] encoded() {
        Map<String, Object> encodedFiles = new LinkedHashMap<>();
        files.forEach(
                (name, bytes) -> encodedFiles.put(name, Base64.getEncoder().encodeToString(bytes)));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(FORMAT, THIS_FORMAT);
        tree.put(CONFIGURATION, ConfigurationTree.stored(configuration));
        tree.put(FILES, encodedFiles);
        if (!tickets.isEmpty()) {
            tree.put(TICKETS, TicketTree.of(tickets));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(JsonText.of(tree).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return bytes.toByteArray();
    }

    static ExportContent decode(byte[] encoded) throws ExportException {
        Object tree = json(encoded);
        if (!(tree instanceof Map<?, ?> members) || !(members.get(FORMAT) instanceof Number format)) {
            throw new ExportException("there is no configuration in the file");
        }
        if (format.longValue() != THIS_FORMAT) {
            throw new ExportException(
                    "the file has format " + format + ", and this broker knows " + THIS_FORMAT + "; use a newer one");
        }
        try {
            return new ExportContent(
                    ConfigurationTree.restored(members.get(CONFIGURATION)),
                    files(members.get(FILES)),
                    TicketTree.read(members.get(TICKETS)));
        } catch (ConfigurationRefusedException e) {
            throw new ExportException("the configuration in the file cannot be used: " + e.getMessage());
        }
    }

    private static Map<String, byte[]> files(Object tree) throws ExportException {
        Map<String, byte[]> files = new TreeMap<>();
        try {
            if (tree instanceof Map<?, ?> members) {
                members.forEach((name, text) ->
                        files.put(String.valueOf(name), Base64.getDecoder().decode(String.valueOf(text))));
            }
        } catch (IllegalArgumentException e) {
            throw new ExportException("a file in it is not in Base64");
        }
        SecurityFiles.check(files);
        return files;
    }

    private static Object json(byte[] encoded) throws ExportException {
        try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(encoded))) {
            byte[] text = zip.readNBytes(LARGEST_BYTES + 1);
            if (text.length > LARGEST_BYTES) {
                throw new ExportException("what is in the file is larger than " + LARGEST_BYTES + " bytes");
            }
            return JsonTree.parse("export", new String(text, StandardCharsets.UTF_8));
        } catch (IOException | ConfigurationException e) {
            throw new ExportException("what is in the file is not what this broker has exported");
        }
    }
}
