package dev.avocet.bench.mqtt;

import dev.avocet.bench.part.CommandedRun;
import dev.avocet.bench.prompt.CommandLines;
import dev.avocet.bench.prompt.Terminal;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where commands for a run come from. */
final class PromptOptions {
    @Option(
            names = "--prompt",
            negatable = true,
            arity = "0..1",
            fallbackValue = "true",
            description =
                    "takes commands such as rate=N from standard input; 'help' lists them (default: if it is a terminal)")
    private @Nullable Boolean hasPrompt;

    @Option(
            names = "--command-pipe",
            paramLabel = "FILE",
            description = "takes commands from a named pipe (or once from a file)")
    private @Nullable Path pipe;

    private @Nullable CommandLines commands;
    private volatile @Nullable CommandedRun current;

    /**
     * Hands commands to a run, and begins to read them if it is the first; the reading threads end with the process.
     */
    void listen(CommandedRun run, PrintWriter out) {
        current = run;
        if (commands != null) {
            return;
        }
        commands = new CommandLines(line -> accept(line, out), out);
        if (pipe != null) {
            commands.readFile(pipe);
        }
        if (hasPrompt == null ? pipe == null && Terminal.isOurs() : hasPrompt) {
            commands.readStandardInput();
        }
    }

    private void accept(String line, PrintWriter out) {
        CommandedRun run = current;
        if (run != null) {
            new RunPrompt(run, out).accept(line);
        }
    }
}
