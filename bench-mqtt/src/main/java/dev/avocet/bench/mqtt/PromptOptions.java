package dev.avocet.bench.mqtt;

import dev.avocet.bench.mqtt.engine.MqttRun;
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

    /** Begins to read; the reading threads end with the process. */
    void listen(MqttRun run, PrintWriter out) {
        CommandLines commands = new CommandLines(new RunPrompt(run, out)::accept, out);
        if (pipe != null) {
            commands.readFile(pipe);
        }
        if (hasPrompt == null ? pipe == null && Terminal.isOurs() : hasPrompt) {
            commands.readStandardInput();
        }
    }
}
