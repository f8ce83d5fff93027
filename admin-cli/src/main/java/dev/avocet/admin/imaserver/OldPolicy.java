package dev.avocet.admin.imaserver;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.TypeSchema;
import java.util.List;
import java.util.Map;

/** The {@code MessagingPolicy} of MessageSight 1, which is one of three types today. */
final class OldPolicy {
    /** The property that says which. */
    static final String DESTINATION_TYPE = "DestinationType";

    private static final String NAME = "MessagingPolicy";
    private static final String DESTINATION = "Destination";
    private static final List<String> DESTINATIONS = List.of("Topic", "Queue", "Subscription");

    private OldPolicy() {}

    static boolean is(String typeName) {
        return typeName.equals(NAME);
    }

    static List<TypeSchema> types(Schema schema) {
        return DESTINATIONS.stream()
                .map(destination -> schema.type(destination + "Policy").orElseThrow())
                .toList();
    }

    static TypeSchema typeFor(String destinationType, Schema schema) throws AdminException {
        if (!DESTINATIONS.contains(destinationType)) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "DestinationType of a MessagingPolicy must be one of " + String.join(", ", DESTINATIONS));
        }
        return schema.type(destinationType + "Policy").orElseThrow();
    }

    /** Gives the properties of an old policy the names that they have today. */
    static void rename(String typeName, TypeSchema type, Map<String, Object> properties) {
        if (is(typeName)) {
            properties.remove(DESTINATION_TYPE);
            Object destination = properties.remove(DESTINATION);
            if (destination != null) {
                properties.put(type.name().replace("Policy", ""), destination);
            }
        }
    }
}
