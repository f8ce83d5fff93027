package dev.avocet.admin.configuration;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.input.ExportPassword;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin import}: takes in what {@code export --encrypted} has written. */
@Command(
        name = "import",
        description =
                "Takes in an encrypted export: objects with their passwords, certificates, keys and users. What is"
                        + " not in it stays.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class ImportCommand implements Callable<Integer> {
    /** The broker takes bodies of 4 MiB, and Base64 adds a third. */
    private static final int LARGEST_BYTES = 3 << 20;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "what 'export --encrypted' has written")
    private Path file = Path.of("");

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private ExportPassword password = new ExportPassword();

    @Option(names = "--dry-run", description = "say what would change, and change nothing")
    private boolean isDryRun;

    @Option(names = "--disable-objects", description = "let endpoints come in disabled")
    private boolean disablesObjects;

    @Option(names = "--overwrite-files", description = "also replace certificates, keys and users that are different")
    private boolean overwritesFiles;

    @Override
    public Integer call() throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("Content", content());
        body.put("Password", password.get(false));
        body.put("ApplyConfig", !isDryRun);
        body.put("DisableObjects", disablesObjects);
        body.put("OverwriteFiles", overwritesFiles);
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).post("import", body);
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        int changes = print(answer.get("Changes"), "", out) + print(answer.get("Files"), "file ", out);
        if (changes == 0) {
            out.println("nothing to change");
        }
        return ExitCode.DONE;
    }

    private static int print(@Nullable Object lines, String before, PrintWriter out) {
        if (!(lines instanceof List<?> several)) {
            return 0;
        }
        several.forEach(line -> out.println(before + line));
        return several.size();
    }

    private String content() throws AdminException {
        try {
            if (Files.size(file) > LARGEST_BYTES) {
                throw new AdminException(
                        ExitCode.USAGE,
                        file + " is larger than " + LARGEST_BYTES + " bytes; put it into data/export of the broker, and"
                                + " name it with FileName over HTTP");
            }
            return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        }
    }
}
