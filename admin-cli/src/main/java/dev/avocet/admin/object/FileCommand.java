package dev.avocet.admin.object;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.Rows;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin file}. */
@Command(
        name = "file",
        description =
                "Files on the broker that objects name: certificates and keys. The broker gives none of them out.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class FileCommand implements Runnable {
    private static final List<String> COLUMNS =
            List.of("Name", "Kind", "ExpirationDate", "SizeBytes", "Modified", "UsedBy");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "say what to do: put, list or delete");
    }

    @Command(
            name = "put",
            description = "Uploads a file, in place of the one of that name.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int put(
            @Parameters(paramLabel = "FILE", description = "on this machine") Path file,
            @Option(names = "--name", paramLabel = "NAME", description = "what it is called there (default: as here)")
                    @Nullable String name,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        String called = name == null ? FileApi.nameOf(file) : name;
        new FileApi(connection.client()).put(file, called);
        out().println("file " + called + " uploaded");
        return ExitCode.DONE;
    }

    @Command(
            name = "list",
            description = "Lists the files: what each is, when its certificate or list runs out, and who uses it.",
            mixinStandardHelpOptions = true)
    int list(@Mixin ObjectFormatOption output, @Mixin ConnectionOptions connection) throws AdminException {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        new FileApi(connection.client()).all().forEach((name, shown) -> {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put(COLUMNS.get(0), name);
            row.putAll(shown);
            rows.add(row);
        });
        Rows.print(output.format(), COLUMNS, rows, out());
        return ExitCode.DONE;
    }

    @Command(name = "delete", description = "Deletes a file that nothing uses.", mixinStandardHelpOptions = true)
    int delete(
            @Parameters(paramLabel = "NAME", description = "which one") String name,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        new FileApi(connection.client()).delete(name);
        out().println("file " + name + " deleted");
        return ExitCode.DONE;
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
