package dev.avocet.admin;

import picocli.CommandLine.Option;

/** How the answer should look. */
final class OutputOption {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private OutputFormat format = OutputFormat.TABLE;

    boolean isJson() {
        return format == OutputFormat.JSON;
    }
}
