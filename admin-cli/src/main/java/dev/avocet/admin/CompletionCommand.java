package dev.avocet.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin completion}: what shells need to complete commands and options. */
@Command(
        name = "completion",
        description = {
            "Prints a script that lets a shell complete commands, options and words:",
            "  bash, zsh:  source <(broker-admin completion bash)",
            "  fish:       broker-admin completion fish | source"
        },
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class CompletionCommand implements Runnable {
    private static final String FOLDER = "completion";

    /** The shells that are known. */
    enum ShellName {
        BASH,
        ZSH,
        FISH
    }

    private final Path home;
    private final Supplier<CommandLine> program;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private ShellName shell = ShellName.BASH;

    /**
     * @param home where the distribution is unpacked, which has the scripts: to make one takes longer than any other
     *     command
     * @param program the program with all its commands
     */
    CompletionCommand(Path home, Supplier<CommandLine> program) {
        this.home = home;
        this.program = program;
    }

    @Override
    public void run() {
        String file = "broker-admin." + (shell == ShellName.FISH ? "fish" : "bash");
        Objects.requireNonNull(spec)
                .commandLine()
                .getOut()
                .print(shipped(home.resolve(FOLDER).resolve(file)));
    }

    private String shipped(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return make();
        }
    }

    private String make() {
        CommandLine complete = program.get();
        String name = complete.getCommandName();
        return switch (shell) {
            case BASH, ZSH -> AutoComplete.bash(name, complete);
            case FISH -> new FishCompletion(complete).script();
        };
    }
}
