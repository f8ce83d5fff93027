package dev.avocet.bench.mqtt.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads messages of one's own: a file with one or a list of them, or a folder of such files, in the order of their
 * names.
 */
public final class MessageFiles {
    private static final String OPTION = "--messages";

    private MessageFiles() {}

    /** @throws IllegalArgumentException when they cannot be used; says where */
    public static List<OwnMessage> read(Path fileOrFolder) {
        List<OwnMessage> messages = new ArrayList<>();
        try {
            for (Path file : files(fileOrFolder)) {
                Path folder = file.toAbsolutePath().getParent();
                for (MessageEntry entry : new Documents(OPTION).read(file, MessageEntry.class)) {
                    messages.add(entry.message(folder == null ? file : folder));
                }
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(OPTION + ": " + unreadable.getMessage() + " cannot be read", unreadable);
        }
        if (messages.isEmpty()) {
            throw new IllegalArgumentException(OPTION + ": " + fileOrFolder + " has no messages");
        }
        return messages;
    }

    private static List<Path> files(Path fileOrFolder) throws IOException {
        if (!Files.isDirectory(fileOrFolder)) {
            return List.of(fileOrFolder);
        }
        try (Stream<Path> files = Files.list(fileOrFolder)) {
            return files.filter(file -> file.toString().matches(".*\\.(json|ya?ml)"))
                    .sorted()
                    .toList();
        }
    }
}
