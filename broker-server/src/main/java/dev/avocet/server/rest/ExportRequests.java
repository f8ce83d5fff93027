package dev.avocet.server.rest;

import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.AdminAction;
import dev.avocet.server.export.ConfigurationExport;
import dev.avocet.server.export.ConfigurationExport.Imported;
import dev.avocet.server.export.ConfigurationExport.Options;
import dev.avocet.server.export.ExportException;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes the configuration out of this broker, and into it, sealed with a password. */
final class ExportRequests {
    /** Who could import anything could become any administrator. */
    private static final Set<AdminAction> CONFIGURE = Set.of(AdminAction.CONFIGURE);

    private static final Set<String> EXPORT = Set.of("Password", "FileName");
    private static final Set<String> IMPORT =
            Set.of("Password", "FileName", "Content", "ApplyConfig", "DisableObjects", "OverwriteFiles");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
    private static final String FOLDER = "export";
    private static final int LARGEST_BYTES = 32 << 20;

    private final ConfigurationStore objects;
    private final Supplier<@Nullable Path> dataDirectory;
    private final AuditLog audit;

    /** @param dataDirectory where files lie; null when there are none */
    ExportRequests(ConfigurationStore objects, Supplier<@Nullable Path> dataDirectory, AuditLog audit) {
        this.objects = objects;
        this.dataDirectory = dataDirectory;
        this.audit = audit;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        HandlerType.POST,
                        "/service/export",
                        "All objects and the files of data/security and data/files, sealed with Password: as Content in Base64, or in"
                                + " data/export/FileName",
                        CONFIGURE,
                        this::export),
                new Route(
                        HandlerType.POST,
                        "/service/import",
                        "Takes in what an export holds, from Content or FileName; with ApplyConfig false it only says what"
                                + " would happen, with DisableObjects endpoints come in disabled, with OverwriteFiles files"
                                + " that are different are replaced",
                        CONFIGURE,
                        this::take));
    }

    private void export(Context context, Administrator who) throws Refusal {
        Map<String, @Nullable Object> body = body(context, EXPORT);
        String password = password(body);
        String name = text(body, "FileName");
        Map<String, Object> more = new LinkedHashMap<>();
        try {
            byte[] sealed = new ConfigurationExport(objects, data()).export(password);
            if (name.isEmpty()) {
                more.put("Content", Base64.getEncoder().encodeToString(sealed));
            } else {
                write(file(name), sealed);
            }
        } catch (IOException e) {
            throw new Refusal(Code.NOT_NOW, "the disk refused it: " + e.getMessage());
        }
        audit.did(who, "exported the configuration" + (name.isEmpty() ? "" : " to " + name));
        Answer.done(context, Code.DONE, "The configuration is exported.", more);
    }

    private void take(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Map<String, @Nullable Object> body = body(context, IMPORT);
        String password = password(body);
        Options options = new Options(
                !flag(body, "ApplyConfig", true),
                flag(body, "DisableObjects", false),
                flag(body, "OverwriteFiles", false));
        try {
            Imported imported = new ConfigurationExport(objects, data())
                    .take(content(body), password, options, who.origin("import"));
            if (!options.checkOnly()) {
                audit.changed(who, new ConfigurationStore.Step(imported.before(), imported.after()));
                audit.did(who, "imported a configuration, and the files " + imported.files());
            }
            Answer.done(
                    context,
                    Code.DONE,
                    options.checkOnly() ? "Nothing was changed." : "The configuration is imported.",
                    Map.of("Changes", changes(imported), "Files", imported.files()));
        } catch (ExportException e) {
            throw new Refusal(Code.INVALID, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new Refusal(Code.NOT_NOW, "the disk refused it: " + e.getMessage());
        }
    }

    private static List<String> changes(Imported imported) {
        List<String> changes = new ArrayList<>();
        ConfigurationDifference.between(imported.before(), imported.after())
                .puts()
                .forEach(put -> changes.add((put.before() == null ? "+ " : "~ ") + put.key()));
        return changes;
    }

    private byte[] content(Map<String, @Nullable Object> body) throws Refusal, IOException {
        String name = text(body, "FileName");
        String content = text(body, "Content");
        if (name.isEmpty() == content.isEmpty()) {
            throw new Refusal(Code.INVALID, "give either Content or FileName");
        }
        if (name.isEmpty()) {
            try {
                return Base64.getDecoder().decode(content);
            } catch (IllegalArgumentException e) {
                throw new Refusal(Code.INVALID, "Content: is not in Base64");
            }
        }
        Path file = file(name);
        try {
            if (Files.size(file) > LARGEST_BYTES) {
                throw new Refusal(Code.INVALID, "FileName: " + name + " is larger than any export");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new Refusal(Code.NOT_FOUND, "there is no file " + FOLDER + "/" + name);
        }
    }

    private static void write(Path file, byte[] sealed) throws IOException {
        Path folder = Objects.requireNonNull(file.getParent());
        Files.createDirectories(folder);
        Path beside = Files.createTempFile(folder, ".export", null);
        try {
            Files.write(beside, sealed);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private Path file(String name) throws Refusal {
        if (!NAME.matcher(name).matches()) {
            throw new Refusal(
                    Code.INVALID,
                    "FileName: at most 128 letters, digits, dots, hyphens and underscores, and no folder");
        }
        return data().resolve(FOLDER).resolve(name);
    }

    private Path data() throws Refusal {
        Path data = dataDirectory.get();
        if (data == null) {
            throw new Refusal(Code.NOT_IMPLEMENTED, "this broker has no data directory");
        }
        return data;
    }

    private static Map<String, @Nullable Object> body(Context context, Set<String> known) throws Refusal {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        for (String name : body.keySet()) {
            if (!known.contains(name)) {
                throw new Refusal(
                        Code.INVALID,
                        name + ": give "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
        return body;
    }

    private static String password(Map<String, @Nullable Object> body) throws Refusal {
        String password = text(body, "Password");
        if (password.isEmpty()) {
            throw new Refusal(Code.INVALID, "Password: give the one that seals the export");
        }
        return password;
    }

    private static String text(Map<String, @Nullable Object> body, String name) throws Refusal {
        Object value = body.get(name);
        if (value != null && !(value instanceof String)) {
            throw new Refusal(Code.INVALID, name + ": give text in quotes");
        }
        return value == null ? "" : (String) value;
    }

    private static boolean flag(Map<String, @Nullable Object> body, String name, boolean otherwise) throws Refusal {
        Object value = body.get(name);
        if (value != null && !(value instanceof Boolean)) {
            throw new Refusal(Code.INVALID, name + ": give true or false");
        }
        return value == null ? otherwise : (Boolean) value;
    }
}
