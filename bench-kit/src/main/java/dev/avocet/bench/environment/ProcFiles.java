package dev.avocet.bench.environment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel says of itself in files; empty words where it does not. */
final class ProcFiles {
    String firstLine(String file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? "" : words(lines.get(0));
    }

    /** Of lines such as {@code name : value}. */
    String field(String file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> words(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElse("");
    }

    /** Of lines such as {@code name  soft  hard  unit}. */
    String columns(String file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> words(line.substring(name.length())))
                .findFirst()
                .orElse("");
    }

    private static String words(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
        } catch (IOException notHere) {
            return List.of();
        }
    }
}
