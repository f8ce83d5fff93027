package dev.avocet.bench.jms;

import dev.avocet.bench.jms.command.JmsBench;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The process's entry point. */
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with one of the codes that {@code --help} lists. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int exitCode = JmsBench.execute(System.getenv(), out, err, args);
        out.flush();
        // Clients may have left threads behind.
        System.exit(exitCode);
    }
}
