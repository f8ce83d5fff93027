package dev.avocet.server.rest;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.AdminAction;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says whether changes of the configuration would be made, without making them. */
final class CheckRequests {
    private static final String CHANGES = "Changes";
    private static final String DELETIONS = "Deletions";

    private final ConfigurationStore objects;

    CheckRequests(ConfigurationStore objects) {
        this.objects = objects;
    }

    List<Route> routes() {
        return List.of(new Route(
                        HandlerType.POST,
                        "/configuration/check",
                        "Says whether Changes, as POST /configuration takes them, and then Deletions, each with Type and Name,"
                                + " would be made, and changes nothing. What would be refused is refused here in the same way",
                        Set.of(AdminAction.CONFIGURE),
                        this::check)
                .bringing(RouteBody.of(
                        Map.of(
                                CHANGES,
                                Map.of("type", "object"),
                                DELETIONS,
                                Map.of(
                                        "type",
                                        "array",
                                        "items",
                                        Map.of(
                                                "type",
                                                "object",
                                                "properties",
                                                Map.of("Type", RouteBody.TEXT, "Name", RouteBody.TEXT),
                                                "required",
                                                List.of("Type", "Name")))),
                        List.of())));
    }

    private void check(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        for (String name : body.keySet()) {
            if (!name.equals(CHANGES) && !name.equals(DELETIONS)) {
                throw new Refusal(Code.INVALID, name + ": give " + CHANGES + " and " + DELETIONS);
            }
        }
        List<ConfigurationChange> changes = new ArrayList<>();
        if (body.get(CHANGES) != null) {
            changes.addAll(ChangeReader.read(body.get(CHANGES)));
        }
        changes.addAll(deletions(body.getOrDefault(DELETIONS, List.of())));
        objects.check(changes, Preconditions.expectedVersion(context));
        Answer.done(context, Code.DONE, "The broker would do that. Nothing has changed.", Map.of());
    }

    private static List<Delete> deletions(@Nullable Object given) throws Refusal {
        if (!(given instanceof List<?> several)) {
            throw new Refusal(Code.INVALID, DELETIONS + ": give a list of objects with Type and Name");
        }
        List<Delete> deletions = new ArrayList<>();
        for (Object each : several) {
            if (!(each instanceof Map<?, ?> members)
                    || !(members.get("Type") instanceof String type)
                    || !(members.get("Name") instanceof String name)) {
                throw new Refusal(Code.INVALID, DELETIONS + ": give each with Type and Name");
            }
            ObjectType known = ObjectTypes.named(type)
                    .orElseThrow(() -> new Refusal(Code.NOT_FOUND, "there are no objects of type '" + type + "'"));
            deletions.add(new Delete(known.keyOf(name), Set.of()));
        }
        return deletions;
    }
}
