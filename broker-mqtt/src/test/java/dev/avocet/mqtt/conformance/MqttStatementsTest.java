package dev.avocet.mqtt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each statement that binds a server has a test, and {@code docs/mqtt.md} says which. */
class MqttStatementsTest {
    private static final Path PAGE = Path.of("..", "docs", "mqtt.md");

    private final Proofs proofs = Proofs.ofThisModule();

    @Test
    @Proves("MQTT311-7.0.0-1")
    void shouldProveEveryStatement() {
        List<String> unproven = allStatements().stream()
                .map(Statement::id)
                .filter(id -> !proofs.testsById().containsKey(id))
                .toList();

        assertThat(unproven).as("statements without a test").isEmpty();
    }

    @Test
    void shouldKnowEveryStatementThatATestProves() {
        List<String> known = allStatements().stream().map(Statement::id).toList();

        assertThat(known).doesNotHaveDuplicates().containsAll(proofs.testsById().keySet());
    }

    @Test
    void shouldRunEveryProof() {
        assertThat(proofs.idle()).as("methods with @Proves that are no tests").isEmpty();
    }

    @Test
    void shouldNameEveryProofOnThePage() throws IOException {
        // given
        String page = Files.readString(PAGE, StandardCharsets.UTF_8);
        String rendered = StatementsPage.regenerate(page, statementsByVersion(), proofs);
        if (Boolean.getBoolean("avocet.writeDocs")) {
            Files.writeString(PAGE, rendered);
        }

        // then
        assertThat(Files.readString(PAGE, StandardCharsets.UTF_8)).isEqualTo(rendered);
    }

    private static List<Statement> allStatements() {
        return statementsByVersion().values().stream().flatMap(List::stream).toList();
    }

    private static Map<String, List<Statement>> statementsByVersion() {
        Map<String, List<Statement>> byVersion = new LinkedHashMap<>();
        byVersion.put("MQTT 5.0", Statement.list("mqtt5-server-statements.txt"));
        byVersion.put("MQTT 3.1.1", Statement.list("mqtt311-server-statements.txt"));
        return byVersion;
    }
}
