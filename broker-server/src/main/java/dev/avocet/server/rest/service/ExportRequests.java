package dev.avocet.server.rest.service;

import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.export.ConfigurationExport;
import dev.avocet.server.export.ConfigurationExport.Imported;
import dev.avocet.server.export.ConfigurationExport.Options;
import dev.avocet.server.export.ExportException;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.rest.config.ShownDifference;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Preconditions;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
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
import org.jspecify.annotations.Nullable;

/** Takes the configuration out of this broker, and into it, sealed with a password. */
public final class ExportRequests {
    /** Who could import anything could become any administrator. */
    private static final Set<AdminAction> CONFIGURE = Set.of(AdminAction.CONFIGURE);

    private static final Set<String> EXPORT = Set.of(ExportBody.PASSWORD, ExportBody.FILE_NAME);
    private static final Set<String> IMPORT = Set.of(
            ExportBody.PASSWORD, ExportBody.FILE_NAME, "Content", "ApplyConfig", "DisableObjects", "OverwriteFiles");
    private static final int LARGEST_BYTES = 32 << 20;

    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final ExportFolder folder;
    private final AuditLog audit;

    /** @param dataDirectory where files lie; null when there are none */
    public ExportRequests(
            ConfigurationStore objects, PresentBroker broker, Supplier<@Nullable Path> dataDirectory, AuditLog audit) {
        this.broker = broker;
        this.objects = objects;
        this.folder = new ExportFolder(dataDirectory);
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.POST,
                        "/service/export",
                        "All objects and the files of data/security and data/files, sealed with Password: as Content in Base64, or in"
                                + " data/export/FileName",
                        CONFIGURE,
                        this::export),
                new RestRoute(
                        HandlerType.POST,
                        "/service/import",
                        "Takes in what an export holds, from Content or FileName; with ApplyConfig false it only says what"
                                + " would happen, with DisableObjects endpoints come in disabled, with OverwriteFiles files"
                                + " that are different are replaced. With If-Match only into the version that was looked at",
                        CONFIGURE,
                        this::take));
    }

    private void export(Context context, Administrator who) throws Refusal {
        ExportBody body = ExportBody.of(context, EXPORT);
        String password = body.password(broker.get());
        String name = body.fileName();
        Map<String, Object> more = new LinkedHashMap<>();
        try {
            byte[] sealed = new ConfigurationExport(objects, folder.data()).export(password);
            if (name.isEmpty()) {
                more.put("Content", Base64.getEncoder().encodeToString(sealed));
            } else {
                write(folder.file(name), sealed);
            }
        } catch (IOException e) {
            throw new Refusal(Code.NOT_NOW, "the disk refused it: " + e.getMessage());
        }
        audit.did(who, "exported the configuration" + (name.isEmpty() ? "" : " to " + name));
        Answer.done(context, Code.DONE, "The configuration is exported.", more);
    }

    private void take(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        ExportBody body = ExportBody.of(context, IMPORT);
        String password = body.password(broker.get());
        Options options = new Options(
                !body.flag("ApplyConfig", true),
                body.flag("DisableObjects", false),
                body.flag("OverwriteFiles", false));
        try {
            Imported imported = new ConfigurationExport(objects, folder.data())
                    .take(
                            content(body),
                            password,
                            options,
                            Preconditions.expectedVersion(context),
                            who.origin("import"));
            if (!options.checkOnly()) {
                audit.changed(who, new ConfigurationStore.Step(imported.before(), imported.after()));
                audit.did(who, "imported a configuration, and the files " + imported.files());
            }
            long present = options.checkOnly()
                    ? imported.before().version()
                    : imported.after().version();
            Preconditions.tag(context, present);
            Map<String, Object> more = new LinkedHashMap<>();
            more.put("ConfigurationVersion", present);
            more.put("Changes", changes(imported));
            more.put("Differences", ShownDifference.between(imported.before(), imported.after()));
            more.put("Files", imported.files());
            Answer.done(
                    context,
                    Code.DONE,
                    options.checkOnly() ? "Nothing was changed." : "The configuration is imported.",
                    more);
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

    private byte[] content(ExportBody body) throws Refusal, IOException {
        String name = body.fileName();
        String content = body.text("Content");
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
        Path file = folder.file(name);
        try {
            if (Files.size(file) > LARGEST_BYTES) {
                throw new Refusal(Code.INVALID, "FileName: " + name + " is larger than any export");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw ExportFolder.noFile(name);
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
}
