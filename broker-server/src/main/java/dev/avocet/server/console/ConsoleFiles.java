package dev.avocet.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, by the path at which a browser asks for them. All of them are read from the class path at
 * once, as {@code files.txt} lists them; a path that is not in this map leads to no file. Immutable.
 */
final class ConsoleFiles {
    private static final String LIST = "files.txt";
    private static final String FIRST_PAGE = "index.html";
    /** Where a browser gets the page that loads all others. */
    static final String FIRST_PATH = "/";

    private static final String FOLDER = "/console/";

    private final Map<String, ConsoleFile> byPath;

    private ConsoleFiles(Map<String, ConsoleFile> byPath) {
        this.byPath = Map.copyOf(byPath);
    }

    static ConsoleFiles read() {
        Map<String, ConsoleFile> files = new LinkedHashMap<>();
        names().forEach(name -> files.put(pathOf(name), ConsoleFile.of(name, bytes(name))));
        return new ConsoleFiles(files);
    }

    /** Where browsers ask for them. */
    static List<String> paths() {
        return names().stream().map(ConsoleFiles::pathOf).toList();
    }

    /** Null when there is no file at that path. */
    @Nullable ConsoleFile at(String path) {
        return byPath.get(path);
    }

    private static String pathOf(String name) {
        return name.equals(FIRST_PAGE) ? FIRST_PATH : FOLDER + name;
    }

    private static List<String> names() {
        return new String(bytes(LIST), UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static byte[] bytes(String name) {
        try (InputStream file = ConsoleFiles.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("the console's file " + name + " is missing in the distribution");
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the console's file " + name + " cannot be read", e);
        }
    }
}
