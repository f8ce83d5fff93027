package dev.avocet.bench.prompt;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads commands and hands them on, each on the reading thread. A line that is too long is passed over. */
public final class CommandLines {
    static final int MAX_CHARACTERS = 256;

    private final Consumer<String> onLine;
    private final PrintWriter complaints;

    /** @param onLine called with each line, without blanks around it */
    public CommandLines(Consumer<String> onLine, PrintWriter complaints) {
        this.onLine = onLine;
        this.complaints = complaints;
    }

    /** Reads standard input until it ends. */
    public void readStandardInput() {
        start(() -> read(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    /**
     * Reads a file: a named pipe again and again, since each who writes to it ends it, and anything else once.
     *
     * @throws IllegalArgumentException when it is not there
     */
    public void readFile(Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("--command-pipe: " + file + " cannot be read; make it with mkfifo");
        }
        start(() -> {
            boolean isPipe;
            do {
                isPipe = isPipe(file);
                try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                    read(reader);
                }
            } while (isPipe);
        });
    }

    private static boolean isPipe(Path file) throws IOException {
        return Boolean.TRUE.equals(Files.getAttribute(file, "basic:isOther", new LinkOption[0]));
    }

    private void read(Reader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        boolean isTooLong = false;
        int character;
        while ((character = reader.read()) >= 0) {
            if (character == '\n') {
                finish(line, isTooLong);
                isTooLong = false;
            } else if (line.length() == MAX_CHARACTERS) {
                isTooLong = true;
            } else {
                line.append((char) character);
            }
        }
        if (line.length() > 0) {
            finish(line, isTooLong);
        }
    }

    private void finish(StringBuilder line, boolean isTooLong) {
        if (isTooLong) {
            complaints.println("a command has at most " + MAX_CHARACTERS + " characters");
        } else {
            onLine.accept(line.toString().strip());
        }
        line.setLength(0);
    }

    private void start(Reading reading) {
        Thread thread = new Thread(
                () -> {
                    try {
                        reading.run();
                    } catch (IOException over) {
                        complaints.println("no more commands are read: " + over.getMessage());
                    }
                },
                "commands");
        thread.setDaemon(true);
        thread.start();
    }

    private interface Reading {
        void run() throws IOException;
    }
}
