package dev.avocet.admin;

import dev.avocet.admin.connection.Version;
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
            "7:the broker refused what was asked, or answered with an error",
            "8:the broker does not know who asks, or does not allow it",
            "9:there is no such object",
            "10:it exists already, other objects need it, or another administrator changed it meanwhile",
            "11:something that was looked at is not as it should be",
            "12:it is done, but does not work: an endpoint accepts no connections"
        })
final class AdminCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                Objects.requireNonNull(spec).commandLine(), "say what to do, such as 'endpoint list'");
    }
}
