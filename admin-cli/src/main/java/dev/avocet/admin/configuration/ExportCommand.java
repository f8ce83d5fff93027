package dev.avocet.admin.configuration;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.ExportPassword;
import dev.avocet.admin.input.PrivateFile;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Kind;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Trait;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code broker-admin export}: the configuration as {@code apply} takes it. */
@Command(
        name = "export",
        description =
                "Prints all objects as 'apply' takes them. Passwords, and what the broker sets itself, are left out. With"
                        + " --encrypted they are written with the objects into a file that a password protects, as"
                        + " 'import' takes it.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class ExportCommand implements Callable<Integer> {
    /** The formats of documents. */
    enum Format {
        YAML,
        JSON
    }

    private final Schema schema;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Format format = Format.YAML;

    @Option(
            names = "--encrypted",
            paramLabel = "FILE",
            description =
                    "write objects with their passwords, certificates, keys and users into this file, which must not"
                            + " be there yet")
    private @Nullable Path encrypted;

    @Mixin
    private ExportPassword password = new ExportPassword();

    public ExportCommand(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Integer call() throws AdminException {
        return encrypted == null ? print() : seal(encrypted);
    }

    private int seal(Path file) throws AdminException {
        if (Files.exists(file)) {
            throw new AdminException(ExitCode.USAGE, file + " is there already; name another with --encrypted");
        }
        Map<String, @Nullable Object> answer =
                new ServiceApi(connection.client()).post("export", Map.of("Password", password.get(true)));
        try {
            PrivateFile.write(file, Base64.getDecoder().decode(Values.text(answer.get("Content"))), "--encrypted");
        } catch (IllegalArgumentException e) {
            throw new AdminException(ExitCode.REFUSED, "the answer holds no export");
        }
        Objects.requireNonNull(spec).commandLine().getOut().println("written to " + file.toAbsolutePath());
        return ExitCode.DONE;
    }

    private int print() throws AdminException {
        ConfigurationView now = new ConfigurationApi(connection.client()).all();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        for (TypeSchema type : schema.types()) {
            switch (type.shape()) {
                case VALUES -> document.putAll(kept(type, now.members()));
                case SINGLE -> putUnlessEmpty(document, type.name(), kept(type, now.object(type.name())));
                case NAMED -> putUnlessEmpty(document, type.name(), objects(type, now));
            }
        }
        Objects.requireNonNull(spec)
                .commandLine()
                .getOut()
                .println(format == Format.JSON ? Documents.toJson(document) : Documents.toYaml(document));
        return ExitCode.DONE;
    }

    private static Map<String, @Nullable Object> objects(TypeSchema type, ConfigurationView now) {
        ConfigurationView objects = new ConfigurationView(now.object(type.name()), null);
        Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        objects.members().keySet().stream().filter(objects::has).forEach(name -> {
            Map<String, @Nullable Object> object = objects.object(name);
            kept.put(name, kept(type, object));
        });
        return kept;
    }

    /** The properties that an administrator can give. */
    private static Map<String, @Nullable Object> kept(TypeSchema type, Map<String, @Nullable Object> object) {
        Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        type.properties().stream()
                .filter(property -> property.kind() != Kind.SECRET)
                .filter(property -> !property.is(Trait.READ_ONLY) && !property.is(Trait.KEY))
                .filter(property -> object.containsKey(property.name()))
                .forEach(property -> kept.put(property.name(), object.get(property.name())));
        return kept;
    }

    private static void putUnlessEmpty(
            Map<String, @Nullable Object> document, String name, Map<String, @Nullable Object> content) {
        if (!content.isEmpty()) {
            document.put(name, content);
        }
    }
}
