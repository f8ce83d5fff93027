package dev.avocet.server.command;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.process.DataDirectory;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.Home;
import dev.avocet.server.process.StartException;
import dev.avocet.server.store.StoreInspector;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreReport;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code broker store}: looks into, checks, repairs and upgrades the store of a broker that does not run. */
@Command(
        name = "store",
        description = "Looks into the store of a broker that does not run.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, and the store can be opened",
            "1:a mistake in the broker; the log says more",
            "2:the command line or the configuration cannot be used, or there is no store",
            "4:a broker uses the data directory",
            "6:the store is damaged or cannot be read"
        })
public final class StoreCommand implements Runnable {
    private final Home home;
    private final StoreInspector inspector;

    @Spec
    private @Nullable CommandSpec spec;

    public StoreCommand(Home home, StoreInspector inspector) {
        this.home = home;
        this.inspector = inspector;
    }

    @Override
    public void run() {
        throw new ParameterException(spec().commandLine(), "say what to do: stat, verify, repair or upgrade");
    }

    @Command(
            name = "stat",
            description = "Tells what the store holds.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int stat(@Mixin StoreTarget target) throws ConfigurationException, StartException {
        return inspect(target, inspector::stat);
    }

    @Command(
            name = "verify",
            description = "Reads the whole store and lists what is damaged. Changes nothing.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int verify(@Mixin StoreTarget target) throws ConfigurationException, StartException {
        return inspect(target, inspector::verify);
    }

    @Command(
            name = "repair",
            description = "Takes away what is damaged, so that the broker can start. What was taken away is lost;"
                    + " copy the directory before.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int repair(@Mixin StoreTarget target) throws ConfigurationException, StartException {
        return inspect(target, inspector::repair);
    }

    @Command(
            name = "upgrade",
            description = "Makes a store of today's format of one that an earlier version of the broker has written."
                    + " The store is kept as it is beside the new one, as '….before-upgrade'.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int upgrade(@Mixin StoreTarget target) throws ConfigurationException, StartException {
        return inspect(target, inspector::upgrade);
    }

    private int inspect(StoreTarget target, Inspection inspection) throws ConfigurationException, StartException {
        ServerConfig config = target.configuration(home);
        Path dataDirectory = target.dataDirectory(home, config);
        try (DataDirectory data = DataDirectory.lockForInspection(dataDirectory)) {
            StoreLocation described = StoreLocation.of(config.store(), data.path());
            described.finishUpgrade(new DiskStorage());
            StoreLocation store = described.asFound();
            if (!Files.isDirectory(store.directory())) {
                throw new StartException(ExitCode.USAGE, "there is no store in " + store.directory());
            }
            return print(inspection.of(store), target);
        } catch (JournalException e) {
            throw new StartException(ExitCode.STORE_UNUSABLE, String.valueOf(e.getMessage()));
        }
    }

    private int print(StoreReport report, StoreTarget target) {
        PrintWriter out = spec().commandLine().getOut();
        if (target.isJson()) {
            StoreReportWriter.json(report, out);
        } else {
            StoreReportWriter.table(report, out);
        }
        return report.needsRepair() ? ExitCode.STORE_UNUSABLE : ExitCode.STOPPED;
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }

    /** One of the things to do. */
    @FunctionalInterface
    private interface Inspection {
        StoreReport of(StoreLocation store) throws JournalException;
    }
}
