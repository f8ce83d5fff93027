package dev.avocet.server.rest.config;

import dev.avocet.core.config.ChangeSetReader;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStore.Step;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Preconditions;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates, updates and deletes several objects as one change, or says what that would make different. */
public final class ChangeSetRequests {
    private static final Set<AdminAction> WRITE = Set.of(AdminAction.CONFIGURE);
    private static final Map<String, Object> FLAG = Map.of("type", "boolean");

    private final ConfigurationStore objects;
    private final ChangeAnswer answer;
    private final ShownPair pair;

    /** @param pair knows what is of this node */
    public ChangeSetRequests(ConfigurationStore objects, ChangeAnswer answer, ShownPair pair) {
        this.objects = objects;
        this.answer = answer;
        this.pair = pair;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                                HandlerType.POST,
                                "/configuration/check",
                                "Says whether Changes, as POST /configuration takes them, and then Deletions would be made,"
                                        + " and what that would make different; changes nothing. What would be refused is"
                                        + " refused here in the same way",
                                WRITE,
                                this::check)
                        .bringing(body()),
                new RestRoute(
                                HandlerType.POST,
                                "/configuration/changes",
                                "Makes Changes, as POST /configuration takes them, and then Deletions, all of them or none,"
                                        + " as one version",
                                WRITE,
                                this::apply)
                        .bringing(body()));
    }

    private static RouteBody body() {
        Map<String, Object> deletion = Map.of(
                "type",
                "object",
                "properties",
                Map.of("Type", RouteBody.TEXT, "Name", RouteBody.TEXT, "DiscardMessages", FLAG, "DiscardSharers", FLAG),
                "required",
                List.of("Type", "Name"));
        return RouteBody.of(
                Map.of(
                        ChangeSetReader.CHANGES,
                        Map.of("type", "object"),
                        ChangeSetReader.DELETIONS,
                        Map.of("type", "array", "items", deletion)),
                List.of());
    }

    private void check(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Map<String, @Nullable Object> body = body(context);
        Step step = objects.check(ChangeSetReader.read(body), Preconditions.expectedVersion(context));
        ChangeAnswer.preview(context, step, pair.warningsOf(body.get(ChangeSetReader.CHANGES)));
    }

    private void apply(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Map<String, @Nullable Object> body = body(context);
        List<ConfigurationChange> changes = ChangeSetReader.read(body);
        Step step = objects.make(changes, Preconditions.expectedVersion(context), who.origin("change"));
        answer.write(context, who, step, pair.warningsOf(body.get(ChangeSetReader.CHANGES)));
    }

    private Map<String, @Nullable Object> body(Context context) throws Refusal {
        Map<String, @Nullable Object> body = new LinkedHashMap<>(RequestBody.object(context));
        if (body.get(ChangeSetReader.CHANGES) != null) {
            body.put(ChangeSetReader.CHANGES, pair.withoutShown(body.get(ChangeSetReader.CHANGES)));
        }
        return body;
    }
}
