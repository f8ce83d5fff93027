package dev.avocet.admin.input;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.Console;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The person at the keyboard, if there is one. */
public final class Terminal {
    private Terminal() {}

    /** Asks for the password of a user without showing it; null without a terminal. */
    public static @Nullable String askPassword(String user) {
        return ask("Password of " + user);
    }

    /** Asks for something secret without showing it; null without a terminal. */
    @SuppressWarnings("SystemConsoleNull") // It is null before Java 22; from then on it must be asked.
    public static @Nullable String ask(String question) {
        Console console = System.console();
        if (console == null || !isTerminal(console)) {
            return null;
        }
        char[] typed = console.readPassword("%s: ", question);
        return typed == null ? null : new String(typed);
    }

    /** Asks for a line; an empty one stands for what is usual. Null without a terminal. */
    @SuppressWarnings("SystemConsoleNull") // as above
    public static @Nullable String line(String question, String usual) {
        Console console = System.console();
        if (console == null || !isTerminal(console)) {
            return null;
        }
        String typed = console.readLine("%s [%s]: ", question, usual);
        return typed == null || typed.isBlank() ? usual : typed.strip();
    }

    /**
     * Returns when the user says yes.
     *
     * @param option stands for that yes where there is no terminal
     * @throws AdminException when the answer is another, or there is no terminal
     */
    @SuppressWarnings("SystemConsoleNull") // as above
    public static void confirm(String question, String option) throws AdminException {
        Console console = System.console();
        if (console == null || !isTerminal(console)) {
            throw new AdminException(
                    ExitCode.USAGE, question + " There is no terminal to say so; give " + option + " if it is meant");
        }
        String typed = console.readLine("%s [y/N] ", question);
        if (typed == null || !typed.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
            throw new AdminException(ExitCode.USAGE, "nothing was done");
        }
    }

    private static boolean isTerminal(Console console) {
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
