package dev.avocet.server.export;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStore.Step;
import dev.avocet.server.objects.ConfigurationStoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes the configuration out of a broker, secrets and all, and into another one. Not for event loops; thread-safe. */
public final class ConfigurationExport {
    private final ConfigurationStore objects;
    private final SecurityFiles files;
    private final SealedFile sealed = new SealedFile(new SecureRandom());

    /** @param dataDirectory where the folders {@code security} and {@code files} are */
    public ConfigurationExport(ConfigurationStore objects, Path dataDirectory) {
        this.objects = objects;
        this.files = new SecurityFiles(dataDirectory);
    }

    /**
     * How an export is taken in.
     *
     * @param checkOnly says what would happen, and does nothing
     * @param disablesEndpoints endpoints come in disabled
     * @param overwritesFiles also files that are there and different
     */
    public record Options(boolean checkOnly, boolean disablesEndpoints, boolean overwritesFiles) {}

    /**
     * What was done, or would be.
     *
     * @param before the configuration that was met
     * @param after what it is made of; the same when there was nothing to do
     * @param files that are written
     */
    public record Imported(Configuration before, Configuration after, List<String> files) {
        /** Copies the list. */
        public Imported {
            files = List.copyOf(files);
        }
    }

    /** All objects, and the files in {@code data/security} and {@code data/files}, sealed with a password. */
    public byte[] export(String password) throws IOException {
        return sealed.seal(new ExportContent(objects.current(), files.read()).encoded(), password);
    }

    /**
     * Creates and changes what is in an export; what is not in it stays. Files come first, so that endpoints find their
     * certificates.
     *
     * @param expectedVersion the version of the configuration that was looked at, or
     *     {@link ConfigurationStore#ANY_VERSION}
     * @throws ExportException when the file cannot be used, or would overwrite others that it may not
     * @throws ConfigurationRefusedException when the objects break a rule here; then nothing was done
     */
    public Imported take(byte[] file, String password, Options options, long expectedVersion, ChangeOrigin origin)
            throws ExportException, ConfigurationRefusedException, ConfigurationStoreException, IOException {
        ExportContent content = ExportContent.decode(sealed.open(file, password));
        List<ConfigurationChange> changes = changes(content.configuration(), options);
        List<String> different = files.missingOrDifferent(content.files(), true);
        if (!different.isEmpty() && !options.overwritesFiles()) {
            throw new ExportException("these files are here and different: " + String.join(", ", different)
                    + "; remove them, or have them overwritten");
        }
        List<String> toWrite = files.missingOrDifferent(content.files(), false);
        if (options.checkOnly()) {
            Configuration before = objects.current();
            return new Imported(before, objects.preview(changes), toWrite);
        }
        var unusedPreview = objects.preview(changes); // before a file is written
        var unusedStep = objects.check(List.of(), expectedVersion);
        for (String name : toWrite) {
            files.write(name, content.files().get(name));
        }
        Step step = objects.make(changes, expectedVersion, origin);
        return new Imported(step.before(), step.after(), toWrite);
    }

    private List<ConfigurationChange> changes(Configuration wanted, Options options) {
        List<ConfigurationChange> changes = new ArrayList<>();
        ObjectType endpoint = ObjectTypes.of(Endpoint.class);
        for (ConfigurationChange change :
                ConfigurationDifference.between(objects.current(), wanted).additions(wanted)) {
            changes.add(
                    options.disablesEndpoints()
                                    && change instanceof ConfigurationChange.Put put
                                    && put.key().type().equals(endpoint)
                            ? disabled(put)
                            : change);
        }
        return changes;
    }

    private static ConfigurationChange disabled(ConfigurationChange.Put endpoint) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>(endpoint.properties());
        properties.put("Enabled", false);
        return new ConfigurationChange.Put(endpoint.key(), properties, endpoint.byBroker());
    }
}
