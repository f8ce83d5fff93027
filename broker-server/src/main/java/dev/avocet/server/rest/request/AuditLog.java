package dev.avocet.server.rest.request;

import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.ValueType;
import dev.avocet.core.time.Clock;
import dev.avocet.server.logging.AuditSink;
import dev.avocet.server.objects.ConfigurationStore.Step;
import java.net.InetAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says who did what, from where, and what was before: in the log {@code AdminLog} for people, and in the audit log for
 * programs. Passwords are masked. Any thread.
 */
public final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger("AdminLog");
    private static final int LONGEST_LINE = 8_192;
    private static final String REFUSED = "refused";

    private final Clock clock;
    private volatile AuditSink sink = AuditSink.NONE;

    public AuditLog(Clock clock) {
        this.clock = clock;
    }

    /** Where the audit log goes from now on. */
    public void writeTo(AuditSink next) {
        sink = next;
    }

    /** Each object that is different now gets a line. */
    public void changed(Administrator who, Step step) {
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
    public void did(Administrator who, String what) {
        LOG.info("{} {}", inOneLine(who.toString()), inOneLine(what));
        write(who.name(), who.address(), "did", what, "done", Map.of());
    }

    /** An administrator was answered who may only have looked; for logs of everything. */
    public void answered(Administrator who, String request) {
        LOG.debug("{} was answered {}", inOneLine(who.toString()), inOneLine(request));
    }

    /**
     * A request that was not fulfilled.
     *
     * @param who null while that is not known
     */
    public void refused(@Nullable Administrator who, InetAddress address, String request, Refusal why) {
        String message = String.valueOf(why.getMessage());
        write(
                who == null ? null : who.name(),
                address,
                "tried",
                request,
                REFUSED,
                Map.of("Code", why.code().toString(), "Reason", shortened(message)));
        LOG.warn(
                "{} was refused {}: {} {}",
                inOneLine(who == null ? "an administrator from " + address.getHostAddress() : who.toString()),
                inOneLine(request),
                why.code(),
                inOneLine(message));
    }

    private void write(
            @Nullable String user,
            InetAddress address,
            String action,
            String what,
            String result,
            Map<String, ?> more) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("Time", Instant.ofEpochMilli(clock.wallTimeMs()).toString());
        line.put("User", user == null ? "" : user);
        line.put("ClientAddress", address.getHostAddress());
        line.put("Action", action);
        line.put("What", shortened(what));
        line.put("Result", result);
        line.putAll(new TreeMap<>(more));
        sink.write(line);
    }

    private void say(Administrator who, long version, String verb, ObjectKey key, String what) {
        write(who.name(), who.address(), verb, key + ": " + what, "done", Map.of("Version", version));
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
        return shortened(text.replaceAll("\\p{Cntrl}", "?"));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "…";
    }
}
