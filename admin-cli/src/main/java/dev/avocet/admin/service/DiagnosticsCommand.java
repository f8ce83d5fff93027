package dev.avocet.admin.service;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code broker-admin diagnostics}: all that is needed to find the cause of a problem, in one file. */
@Command(
        name = "diagnostics",
        description =
                "Writes a zip file with what is needed to look for a mistake: configuration, end of the log, versions,"
                        + " flags, threads, figures, what the operating system allows. There are no passwords in it, nor anything"
                        + " made of them; identifiers of clients and topics are.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class DiagnosticsCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "avocet-diagnostics.zip",
            description = "the file, which must not be there yet (default: ${DEFAULT-VALUE})")
    private Path file = Path.of("avocet-diagnostics.zip");

    @Option(names = "--histogram", description = "also what fills the heap; the broker stands still for a moment")
    private boolean histogram;

    @Override
    public Integer call() throws AdminException {
        AdminClient client = connection.client();
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        try (DiagnosticsBundle bundle = new DiagnosticsBundle(file)) {
            bundle.addAll(client, histogram);
            bundle.entries().forEach(out::println);
            bundle.problems().forEach(spec.commandLine().getErr()::println);
            out.println("written to " + file.toAbsolutePath());
            return bundle.exitCode();
        } catch (FileAlreadyExistsException e) {
            throw new AdminException(ExitCode.USAGE, file + " is there already; name another with --out");
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        }
    }
}
