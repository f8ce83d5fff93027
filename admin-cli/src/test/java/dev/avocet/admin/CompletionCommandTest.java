package dev.avocet.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.store.BrokerProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();

    @Test
    void shouldCompleteInBash() throws IOException, InterruptedException {
        // given
        Path script = Files.writeString(directory.resolve("completion"), completion("bash"));

        // then
        assertThat(bash(script, "broker-admin", "top")).contains("topic-policy", "topic-monitor");
        assertThat(bash(script, "broker-admin", "queue", "")).contains("create", "list");
        assertThat(bash(script, "broker-admin", "queue", "create", "--max-m")).containsExactly("--max-messages");
        assertThat(bash(script, "broker-admin", "server", "update", "--log-level", ""))
                .containsExactly("MIN", "NORMAL", "MAX");
    }

    @Test
    void shouldCompleteInZshAsInBash() {
        assertThat(completion("zsh")).contains("bashcompinit").isEqualTo(completion("bash"));
    }

    @Test
    void shouldCompleteInFish() {
        assertThat(completion("fish").lines())
                .contains(
                        "complete -c broker-admin -f",
                        "complete -c broker-admin -n '__fish_seen_subcommand_from server; and"
                                + " __fish_seen_subcommand_from update' -l log-level -x -a 'MIN NORMAL MAX'"
                                + " -d 'How much is written to the log of the broker. One of MIN, NORMAL, MAX. Default:…'")
                .anyMatch(line -> line.contains("-a 'create' -d 'Creates one. What is not given has its default.'"))
                .anyMatch(line -> line.contains("-l password-file -r -F"))
                .noneMatch(line -> line.contains("%n") || line.contains("$$"));
    }

    private String completion(String shell) {
        out.getBuffer().setLength(0);
        int exitCode = Main.commandLine(
                        new BrokerProgram(directory),
                        new PrintWriter(out, true),
                        new PrintWriter(out, true),
                        "completion"::equals)
                .execute("completion", shell);
        assertThat(exitCode).isZero();
        return out.toString();
    }

    private String[] bash(Path script, String... words) throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder("COMP_WORDS=(");
        for (String word : words) {
            line.append('\'').append(word).append("' ");
        }
        line.append("); COMP_CWORD=").append(words.length - 1);
        String commands = "source '" + script + "'; " + line
                + "; _complete_broker-admin >/dev/null 2>&1; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process process = new ProcessBuilder("bash", "-c", commands).start();
        String reply = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return reply.lines().map(String::strip).toArray(String[]::new);
    }
}
