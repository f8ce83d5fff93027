package dev.avocet.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code bin/broker} of the same distribution, for what needs the broker's own code. */
final class BrokerProgram {
    private final Path home;
    private final Path path;

    /** @param home the folder that holds {@code bin} */
    BrokerProgram(Path home) {
        this.home = home;
        this.path = home.resolve("bin").resolve("broker");
    }

    /** The folder that holds {@code bin}. */
    Path home() {
        return home;
    }

    /** Runs it with this process's input and output, and returns its exit code. */
    int run(List<String> arguments) throws AdminException {
        if (!Files.isExecutable(path)) {
            throw new AdminException(
                    ExitCode.USAGE, "this needs the broker's program, and there is none at " + path.toAbsolutePath());
        }
        List<String> command = new ArrayList<>();
        command.add(path.toString());
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, path + " cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AdminException(ExitCode.INTERNAL, "interrupted while " + path + " ran");
        }
    }
}
