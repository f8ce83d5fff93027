package dev.avocet.admin.message;

import picocli.CommandLine.Option;

/** How much is shown of the bodies of messages. */
final class BodyOption {
    @Option(
            names = "--body-bytes",
            paramLabel = "BYTES",
            defaultValue = "",
            description =
                    "how many bytes of each body, 0 to 1048576; without it 100 of each in a list, and 65536 of one")
    private String bytes = "";

    /** Empty where the broker decides. */
    String bytes() {
        return bytes;
    }
}
