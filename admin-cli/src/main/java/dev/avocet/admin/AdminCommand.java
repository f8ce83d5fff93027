package dev.avocet.admin;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/broker-admin}. */
@Command(
        name = "broker-admin",
        description = "Administers an Avocet message broker.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:a mistake in this program",
            "2:the command line cannot be used, or what it names is not there",
            "3:no broker answers at the address",
            "4:a broker uses the data directory",
            "6:the store is damaged or cannot be read",
            "7:the broker answered with an error"
        })
final class AdminCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "say what to do: store");
    }
}
