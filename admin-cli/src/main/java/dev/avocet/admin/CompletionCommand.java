package dev.avocet.admin;

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
    /** The shells that are known. */
    enum ShellName {
        BASH,
        ZSH,
        FISH
    }

    private final Supplier<CommandLine> program;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private ShellName shell = ShellName.BASH;

    /** @param program the program with all its commands */
    CompletionCommand(Supplier<CommandLine> program) {
        this.program = program;
    }

    @Override
    public void run() {
        CommandLine complete = program.get();
        String name = complete.getCommandName();
        String script =
                switch (shell) {
                    case BASH, ZSH -> AutoComplete.bash(name, complete);
                    case FISH -> new FishCompletion(complete).script();
                };
        Objects.requireNonNull(spec).commandLine().getOut().print(script);
    }
}
