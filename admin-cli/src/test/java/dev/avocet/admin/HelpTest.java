package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.store.BrokerProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What each command says of itself. */
class HelpTest {
    private final StringWriter out = new StringWriter();

    static List<String> commands() {
        List<String> commands = new ArrayList<>();
        collect(program(new StringWriter(), noun -> true), "", commands);
        assertThat(commands).contains("endpoint create", "client list", "doctor", "imaserver get", "service restart");
        return commands;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldExplainItself(String command) {
        List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
        words.add("--help");

        int exitCode = program(out, words.get(0)::equals).execute(words.toArray(String[]::new));

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString()).contains("Usage: broker-admin " + command).doesNotContain("%n", "$${");
        assertThat(out.toString().lines().count()).isGreaterThan(3);
    }

    private static void collect(CommandLine of, String prefix, List<String> commands) {
        for (CommandLine sub : new LinkedHashSet<>(of.getSubcommands().values())) {
            commands.add(prefix + sub.getCommandName());
            collect(sub, prefix + sub.getCommandName() + " ", commands);
        }
    }

    private static CommandLine program(StringWriter to, Predicate<String> isNeeded) {
        PrintWriter writer = new PrintWriter(to, true);
        return Main.commandLine(new BrokerProgram(Path.of("none")), writer, writer, isNeeded);
    }
}
