package dev.avocet.server.rest;

import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.ValueType;
import dev.avocet.server.objects.ConfigurationStore.Step;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log {@code AdminLog} who did what, from where, and what was before. Passwords are masked. Any thread. */
final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger("AdminLog");
    private static final int LONGEST_LINE = 8_192;

    /** Each object that is different now gets a line. */
    void changed(Administrator who, Step step) {
        ConfigurationDifference difference = ConfigurationDifference.between(step.before(), step.after());
        long version = step.after().version();
        difference
                .puts()
                .forEach(put -> say(who, version, put.before() == null ? "created" : "changed", put.key(), put(put)));
        difference
                .deletes()
                .forEach(gone -> say(who, version, "deleted", gone.key(), values(gone.key(), gone.before())));
        step.after().pendingDeletes().stream()
                .filter(key -> !step.before().pendingDeletes().contains(key))
                .forEach(key -> say(who, version, "deleted", key, "gone when nothing uses it any more"));
    }

    /** Something that is no change of the configuration. */
    void did(Administrator who, String what) {
        LOG.info("{} {}", inOneLine(who.toString()), inOneLine(what));
    }

    /** Somebody was answered who may only have looked; for those who want to know everything. */
    void answered(Administrator who, String request) {
        LOG.debug("{} was answered {}", inOneLine(who.toString()), inOneLine(request));
    }

    void refused(String who, String request, Refusal why) {
        LOG.warn(
                "{} was refused {}: {} {}",
                inOneLine(who),
                inOneLine(request),
                why.code(),
                inOneLine(String.valueOf(why.getMessage())));
    }

    private static void say(Administrator who, long version, String verb, ObjectKey key, String what) {
        LOG.info(
                "{} {} {} (version {}): {}",
                inOneLine(who.toString()),
                verb,
                inOneLine(key.toString()),
                version,
                inOneLine(what));
    }

    private static String put(ConfigurationDifference.Put put) {
        ConfigurationObject before = put.before();
        return before == null
                ? values(put.key(), put.after())
                : differences(put.key().type().properties(), before, put.after());
    }

    private static String differences(
            List<Property> properties, ConfigurationObject before, ConfigurationObject after) {
        return properties.stream()
                .filter(property -> !property.valueIn(before).equals(property.valueIn(after)))
                .map(property -> property.name() + " " + shown(property, before) + " -> " + shown(property, after))
                .collect(Collectors.joining(", "));
    }

    private static String values(ObjectKey key, @Nullable ConfigurationObject object) {
        ConfigurationObject known = Objects.requireNonNull(object);
        return key.type().properties().stream()
                .filter(property -> !isDefault(property, property.valueIn(known)))
                .map(property -> property.name() + " " + shown(property, known))
                .collect(Collectors.joining(", "));
    }

    /** What is required has no default. */
    private static boolean isDefault(Property property, Object value) {
        return !property.is(Trait.REQUIRED) && property.defaultValue().equals(value);
    }

    private static String shown(Property property, ConfigurationObject object) {
        return ValueType.describe(property.type().plain(property.valueIn(object)));
    }

    /** What administrators write must not look like a line of the log. */
    private static String inOneLine(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…";
    }
}
