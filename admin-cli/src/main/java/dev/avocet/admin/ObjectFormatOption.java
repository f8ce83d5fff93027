package dev.avocet.admin;

import picocli.CommandLine.Option;

/** How objects should look. */
final class ObjectFormatOption {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private ObjectFormat format = ObjectFormat.TABLE;

    ObjectFormat format() {
        return format;
    }
}
