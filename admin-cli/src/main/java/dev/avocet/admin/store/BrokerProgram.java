package dev.avocet.admin.store;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code bin/broker} of the same distribution, for what needs the broker's own code. */
public final class BrokerProgram {
    private final Path home;
    private final Path path;

    /** @param home the folder that holds {@code bin} */
    public BrokerProgram(Path home) {
        this.home = home;
        this.path = home.resolve("bin").resolve("broker");
    }

    /** The folder that holds {@code bin}. */
    public Path home() {
        return home;
    }

    /** Runs it with this process's input and output, and returns its exit code. */
    int run(List<String> arguments) throws AdminException {
        return run(arguments, null);
    }

    /**
     * The same with a text for its input.
     *
     * @param input may hold secrets, which an argument may not; null for this process's own input
     */
    int run(List<String> arguments, @Nullable String input) throws AdminException {
        if (!Files.isExecutable(path)) {
            throw new AdminException(
                    ExitCode.USAGE, "this needs the broker's program, and there is none at " + path.toAbsolutePath());
        }
        List<String> command = new ArrayList<>();
        command.add(path.toString());
        command.addAll(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            if (input == null) {
                return builder.start().waitFor();
            }
            Process process =
                    builder.redirectInput(ProcessBuilder.Redirect.PIPE).start();
            try (OutputStream out = process.getOutputStream()) {
                out.write(input.getBytes(StandardCharsets.UTF_8));
            }
            return process.waitFor();
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, path + " cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AdminException(ExitCode.INTERNAL, "interrupted while " + path + " ran");
        }
    }
}
