package dev.avocet.admin.print;

import picocli.CommandLine.Option;

/** How the answer should look. */
public final class OutputOption {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private OutputFormat format = OutputFormat.TABLE;

    public boolean isJson() {
        return format == OutputFormat.JSON;
    }
}
