package dev.avocet.core.config;

import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.names.NearestName;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a change set from plain JSON: {@code Changes} in the form of {@link ChangeReader}, and {@code Deletions}, a
 * list of objects with {@code Type} and {@code Name}, and with {@code DiscardMessages} or {@code DiscardSharers} where
 * those may be lost. Used once.
 */
public final class ChangeSetReader {
    /** What is created and updated. */
    public static final String CHANGES = "Changes";
    /** What is deleted. */
    public static final String DELETIONS = "Deletions";

    private static final String TYPE = "Type";
    private static final String NAME = "Name";

    private final List<ConfigurationChange> changes = new ArrayList<>();
    private final List<ConfigurationProblem> problems = new ArrayList<>();

    private ChangeSetReader() {}

    /**
     * The changes that an administrator asks for, the deletions last.
     *
     * @throws ConfigurationRefusedException with everything that cannot be understood
     */
    public static List<ConfigurationChange> read(Map<String, ?> json) throws ConfigurationRefusedException {
        return new ChangeSetReader().changes(json);
    }

    private List<ConfigurationChange> changes(Map<String, ?> json) throws ConfigurationRefusedException {
        for (Map.Entry<String, ?> member : json.entrySet()) {
            switch (member.getKey()) {
                case CHANGES -> objects(member.getValue());
                case DELETIONS -> {} // they come last
                default -> refuse(member.getKey(), Kind.INVALID, "give " + CHANGES + " and " + DELETIONS);
            }
        }
        deletions(json.get(DELETIONS));
        if (!problems.isEmpty()) {
            throw new ConfigurationRefusedException(problems);
        }
        return changes;
    }

    private void objects(@Nullable Object given) {
        try {
            if (given != null) {
                changes.addAll(ChangeReader.read(given));
            }
        } catch (ConfigurationRefusedException e) {
            problems.addAll(e.problems());
        }
    }

    private void deletions(@Nullable Object given) {
        if (given instanceof List<?> several) {
            several.forEach(this::deletion);
        } else if (given != null) {
            refuse(DELETIONS, Kind.INVALID, "give a list of objects with " + TYPE + " and " + NAME);
        }
    }

    private void deletion(@Nullable Object given) {
        if (!(given instanceof Map<?, ?> members)
                || !(members.get(TYPE) instanceof String type)
                || !(members.get(NAME) instanceof String name)) {
            refuse(DELETIONS, Kind.INVALID, "give each with " + TYPE + " and " + NAME);
            return;
        }
        Set<DeleteOption> options = EnumSet.noneOf(DeleteOption.class);
        for (DeleteOption option : DeleteOption.values()) {
            Object wanted = members.get(option.toString());
            if (wanted != null && !(wanted instanceof Boolean)) {
                refuse(DELETIONS, Kind.INVALID, option + " must be true or false");
            } else if (Boolean.TRUE.equals(wanted)) {
                options.add(option);
            }
        }
        if (type.equals(MessagingPolicyAlias.TYPE)) {
            changes.add(new DeleteMessagingPolicy(name));
            return;
        }
        ObjectTypes.named(type)
                .ifPresentOrElse(
                        known -> changes.add(new Delete(known.keyOf(name), options)),
                        () -> refuse(
                                DELETIONS,
                                Kind.NOT_FOUND,
                                "there are no objects of type '" + type + "'"
                                        + NearestName.advice(
                                                type,
                                                ObjectTypes.all().stream()
                                                        .map(ObjectType::name)
                                                        .toList())));
    }

    private void refuse(String where, Kind kind, String message) {
        problems.add(new ConfigurationProblem(kind, where, "", message));
    }
}
