package dev.avocet.server.command;

import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.process.DataDirectory;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.Home;
import dev.avocet.server.process.StartException;
import dev.avocet.server.setup.Setup;
import dev.avocet.server.setup.SetupException;
import dev.avocet.server.setup.SetupWishes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code broker setup}: the half of {@code broker-admin init} that needs the broker's own code. */
@Command(
        name = "setup",
        description =
                "Writes the first configuration of a broker, as 'broker-admin init' describes it on standard input.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class SetupCommand implements Callable<Integer> {
    private static final int LARGEST_BYTES = 4 << 20;

    private final Home home;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--data", paramLabel = "DIR", description = "the data directory of the new broker")
    private @Nullable Path data;

    public SetupCommand(Home home) {
        this.home = home;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, IOException {
        String wishes = new String(System.in.readNBytes(LARGEST_BYTES), StandardCharsets.UTF_8);
        Path directory = home.dataDirectory(data, home.configuration(null, UnaryOperator.identity()));
        try (DataDirectory locked = DataDirectory.lock(directory)) {
            new Setup(locked.path()).carryOut(SetupWishes.read(wishes));
        } catch (SetupException e) {
            throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
        Objects.requireNonNull(spec).commandLine().getOut().println("set up in " + directory);
        return ExitCode.STOPPED;
    }
}
