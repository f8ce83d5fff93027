package dev.avocet.admin.client;

import picocli.CommandLine.Option;

/** How long to wait for the end of an export or import of a client set. */
final class TransferWaitOption {
    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "how long to wait for the end of it; it goes on (default: ${DEFAULT-VALUE})")
    private int seconds;

    int seconds() {
        return seconds;
    }
}
