package dev.avocet.admin.print;

import picocli.CommandLine.Option;

/** How objects should look. */
public final class ObjectFormatOption {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private ObjectFormat format = ObjectFormat.TABLE;

    public ObjectFormat format() {
        return format;
    }
}
