package dev.avocet.bench.prompt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a person sits there. */
public final class Terminal {
    private static final int PROCESS_GROUP = 2;
    private static final int FOREGROUND_GROUP = 5;

    private Terminal() {}

    /**
     * Whether standard input is a terminal that this process may read; who reads one from the background is stopped.
     * Knows Linux only, and says no elsewhere.
     */
    public static boolean isOurs() {
        try {
            String input = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
            boolean isTerminal = input.startsWith("/dev/pts/") || input.startsWith("/dev/tty");
            return isTerminal && isInForeground(Files.readString(Path.of("/proc/self/stat"), StandardCharsets.UTF_8));
        } catch (IOException | UnsupportedOperationException notLinux) {
            return false;
        }
    }

    /** @param stat a process's line, in which the name in parentheses may have blanks */
    static boolean isInForeground(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return fields.length > FOREGROUND_GROUP && fields[PROCESS_GROUP].equals(fields[FOREGROUND_GROUP]);
    }
}
