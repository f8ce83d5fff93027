package dev.avocet.mqtt.conformance;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The part of {@code docs/mqtt.md} that is made from the tests. */
final class StatementsPage {
    private static final String BEGIN = "<!-- from here on generated from the tests by MqttStatementsTest -->\n";

    private StatementsPage() {}

    /** The page with its generated part made anew. */
    static String regenerate(String page, Map<String, List<Statement>> statementsByVersion, Proofs proofs) {
        int begin = page.indexOf(BEGIN);
        if (begin < 0) {
            throw new IllegalArgumentException("the page lacks the line " + BEGIN);
        }
        StringBuilder out = new StringBuilder(page.substring(0, begin)).append(BEGIN);
        statementsByVersion.forEach((version, statements) -> {
            out.append("\n## The statements of ").append(version).append("\n\n");
            out.append("| statement | about | proven by |\n| --- | --- | --- |\n");
            statements.forEach(statement -> out.append(row(statement, proofs)));
        });
        return out.toString();
    }

    private static String row(Statement statement, Proofs proofs) {
        Set<String> tests = proofs.testsById().getOrDefault(statement.id(), Set.of());
        String about = statement.reservation().isEmpty()
                ? statement.subject()
                : statement.subject() + " *(" + statement.reservation() + ")*";
        String provenBy =
                String.join("<br>", tests.stream().map(test -> '`' + test + '`').toList());
        return "| " + statement.id() + " | " + about + " | " + provenBy + " |\n";
    }
}
