package dev.avocet.server.objects;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.Property;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a version of the configuration came about. Holds names of objects and properties and no values, so no secret.
 * Immutable.
 *
 * @param version the one that the change made
 * @param time when; null when that is not known
 * @param origin who; null when that is not known
 * @param changes one sentence for each object, at most {@value #MOST_CHANGES}
 * @param moreChanges how many objects have no sentence
 */
public record VersionNote(
        long version, @Nullable Instant time, @Nullable ChangeOrigin origin, List<String> changes, long moreChanges) {
    /** How many objects are named. */
    static final int MOST_CHANGES = 50;

    private static final String FORMAT = "Format";
    private static final long FORMAT_1 = 1;
    private static final String VERSION = "Version";
    private static final String TIME = "Time";
    private static final String USER = "User";
    private static final String ADDRESS = "ClientAddress";
    private static final String ACTION = "Action";
    private static final String CHANGES = "Changes";
    private static final String MORE_CHANGES = "MoreChanges";

    /** Copies the changes. */
    public VersionNote {
        changes = List.copyOf(changes);
    }

    static VersionNote of(Configuration before, Configuration after, Instant time, ChangeOrigin origin) {
        List<String> all = sentences(before, after);
        int named = Math.min(all.size(), MOST_CHANGES);
        return new VersionNote(after.version(), time, origin, all.subList(0, named), all.size() - named);
    }

    /** Of a version whose note is lost. */
    static VersionNote unknown(long version) {
        return new VersionNote(version, null, null, List.of(), 0);
    }

    private static List<String> sentences(Configuration before, Configuration after) {
        List<String> all = new ArrayList<>();
        ConfigurationDifference difference = ConfigurationDifference.between(before, after);
        difference
                .puts()
                .forEach(put -> all.add(
                        put.before() == null
                                ? "created " + put.key()
                                : "changed " + put.key() + ": " + changed(put.key(), put.before(), put.after())));
        difference.deletes().forEach(gone -> all.add("deleted " + gone.key()));
        after.pendingDeletes().stream()
                .filter(key -> !before.pendingDeletes().contains(key))
                .forEach(key -> all.add("deleted " + key + " as soon as nothing uses it"));
        return all;
    }

    private static String changed(ObjectKey key, ConfigurationObject before, ConfigurationObject after) {
        return key.type().properties().stream()
                .filter(property -> !property.valueIn(before).equals(property.valueIn(after)))
                .map(Property::name)
                .collect(Collectors.joining(", "));
    }

    /** As plain JSON, for a file. */
    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(FORMAT, FORMAT_1);
        tree.put(VERSION, version);
        if (time != null && origin != null) {
            tree.put(TIME, time.toString());
            tree.put(USER, origin.user());
            tree.put(ADDRESS, origin.address());
            tree.put(ACTION, origin.action());
        }
        tree.put(CHANGES, changes);
        tree.put(MORE_CHANGES, moreChanges);
        return tree;
    }

    /** The note of which {@link #tree} is the JSON; {@link IllegalArgumentException} when it is none. */
    static VersionNote read(@Nullable Object json) {
        if (!(json instanceof Map<?, ?> members) || !Long.valueOf(FORMAT_1).equals(number(members, FORMAT))) {
            throw new IllegalArgumentException("is not a note of format " + FORMAT_1);
        }
        List<String> changes = members.get(CHANGES) instanceof List<?> several
                ? several.stream().map(String::valueOf).toList()
                : List.of();
        return new VersionNote(
                number(members, VERSION),
                Instant.parse(text(members, TIME)),
                new ChangeOrigin(text(members, USER), text(members, ADDRESS), text(members, ACTION)),
                changes,
                number(members, MORE_CHANGES));
    }

    private static Long number(Map<?, ?> members, String name) {
        return members.get(name) instanceof Number number ? Long.valueOf(number.longValue()) : Long.valueOf(0);
    }

    private static String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }
}
