package dev.avocet.admin;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completion for the fish shell: a line for each command and option, with the condition under which it is offered. */
final class FishCompletion {
    private static final int LONGEST_DESCRIPTION = 80;

    private final CommandLine program;
    private final String name;
    private final StringBuilder script = new StringBuilder();

    FishCompletion(CommandLine program) {
        this.program = program;
        this.name = program.getCommandName();
    }

    String script() {
        script.append("# Completion of ").append(name).append(" for fish.\n");
        script.append("complete -c ").append(name).append(" -f\n");
        command(program, List.of());
        return script.toString();
    }

    private void command(CommandLine command, List<String> path) {
        Set<CommandLine> subcommands =
                new LinkedHashSet<>(command.getSubcommands().values());
        for (CommandLine subcommand : subcommands) {
            line(condition(command, path)).append(" -a ").append(quoted(subcommand.getCommandName()));
            description(subcommand.getCommandSpec().usageMessage().description());
        }
        command.getCommandSpec().options().forEach(option -> option(option, condition(command, path)));
        for (CommandLine subcommand : subcommands) {
            List<String> below = new ArrayList<>(path);
            below.add(subcommand.getCommandName());
            command(subcommand, below);
        }
    }

    private void option(OptionSpec option, String condition) {
        StringBuilder line = line(condition);
        for (String optionName : option.names()) {
            boolean isLong = optionName.startsWith("--");
            line.append(isLong ? " -l " : " -s ").append(optionName.substring(isLong ? 2 : 1));
        }
        if (option.arity().max() > 0) {
            line.append(takesFile(option) ? " -r -F" : " -x");
            Iterable<String> candidates = option.completionCandidates();
            if (candidates != null) {
                line.append(" -a ").append(quoted(String.join(" ", candidates)));
            }
        }
        description(option.description());
    }

    private static boolean takesFile(OptionSpec option) {
        return option.paramLabel().equals("FILE") || option.paramLabel().equals("DIR");
    }

    private StringBuilder line(String condition) {
        return script.append("complete -c ").append(name).append(" -n ").append(quoted(condition));
    }

    /** The commands of the path are there and, where more follow, none of those yet. */
    private static String condition(CommandLine command, List<String> path) {
        List<String> parts = new ArrayList<>();
        path.forEach(word -> parts.add("__fish_seen_subcommand_from " + word));
        CommandSpec spec = command.getCommandSpec();
        if (!spec.subcommands().isEmpty()) {
            parts.add("not __fish_seen_subcommand_from "
                    + String.join(" ", spec.subcommands().keySet()));
        }
        return String.join("; and ", parts);
    }

    private void description(String... description) {
        String text = description.length == 0 ? "" : String.format(Locale.ROOT, description[0].replace("$${", "${"));
        String first = text.lines().findFirst().orElse("");
        String shown =
                first.length() <= LONGEST_DESCRIPTION ? first : first.substring(0, LONGEST_DESCRIPTION - 1) + "…";
        script.append(shown.isEmpty() ? "" : " -d " + quoted(shown)).append('\n');
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
