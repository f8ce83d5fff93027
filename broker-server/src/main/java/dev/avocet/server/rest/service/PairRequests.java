package dev.avocet.server.rest.service;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.admin.PairHealth;
import dev.avocet.server.rest.config.SetupRequests;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PairControl;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells of the pair that the process is one of, and has its nodes do what administrators ask. */
public final class PairRequests {
    /** The part of the status, by its name in the reference product. */
    static final String PART = "HighAvailability";

    private static final String FORCE = "Force";
    private static final Set<AdminAction> ANY = Set.of();
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final Set<HandlerType> READING = Set.of(HandlerType.GET, HandlerType.HEAD);
    private static final List<String> CHANGING = List.of(
            "/configuration",
            "/user/",
            "/group/",
            "/file/",
            "/service/import",
            "/service/maintenance",
            SetupRequests.PATH);
    private static final List<String> HARMLESS = List.of("/configuration/check", "/diff", SetupRequests.CHECK);

    private final Supplier<@Nullable PairControl> pair;
    private final AuditLog audit;

    /** @param pair null where the process is alone */
    public PairRequests(Supplier<@Nullable PairControl> pair, AuditLog audit) {
        this.pair = pair;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        "/service/ha",
                        "How this node and its pair are",
                        ANY,
                        (context, who) -> Answer.objects(context, Map.of(PART, described(pair.get())))),
                new RestRoute(
                                HandlerType.POST,
                                "/service/ha/switch",
                                "Hands the role of the active node over to the standby, which has to be in sync",
                                SERVE,
                                this::switchOver)
                        .bringing(RouteBody.NONE),
                ordering(
                        "pause",
                        "Has this standby leave those in sync; it is not promoted before it is resumed",
                        PairControl::pause,
                        "This standby leaves those in sync. It is not promoted before it is resumed."),
                ordering(
                        "resume",
                        "Has this standby, which is paused, follow the active node again",
                        PairControl::resume,
                        "This standby follows the active node again."),
                new RestRoute(
                                HandlerType.POST,
                                "/service/ha/promote",
                                "Has this standby become active although it may lack acknowledged messages; Force has"
                                        + " to be true",
                                SERVE,
                                this::promote)
                        .bringing(RouteBody.of(Map.of(FORCE, Map.of("type", "boolean")), List.of(FORCE))),
                new RestRoute(
                                HandlerType.POST,
                                "/service/ha/resync",
                                "Has this standby put its store aside and get everything from the active node",
                                SERVE,
                                this::resync)
                        .bringing(RouteBody.NONE));
    }

    private void promote(Context context, Administrator who) throws Refusal {
        PairControl present = present();
        if (!Boolean.TRUE.equals(RequestBody.object(context).get(FORCE))) {
            throw new Refusal(
                    Code.INVALID,
                    "what this standby has not got is lost when it is promoted: stop the other node first, and send"
                            + " {\"Force\": true} if that is meant");
        }
        String refused = present.promote();
        if (!refused.isEmpty()) {
            throw new Refusal(Code.NOT_NOW, refused);
        }
        audit.did(who, "promotes the standby " + present.state().node() + " by force");
        Answer.done(
                context,
                Code.BEGUN,
                "This standby becomes active, unless the register of the pair has changed meanwhile; its status tells.",
                Map.of());
    }

    private void resync(Context context, Administrator who) throws Refusal {
        PairControl present = present();
        PairControl.Resync done = present.resync();
        if (!done.refused().isEmpty()) {
            throw new Refusal(Code.NOT_NOW, done.refused());
        }
        audit.did(who, "has the standby " + present.state().node() + " resync; its store is in " + done.aside());
        Answer.done(
                context,
                Code.BEGUN,
                "The store of this standby is in " + done.aside() + " now. It gets everything from the active node;"
                        + " delete that directory once it is in sync.",
                Map.of("Aside", done.aside()));
    }

    /** A route that has the standby do something, or say why not. */
    private RestRoute ordering(String verb, String summary, Function<PairControl, String> order, String done) {
        return new RestRoute(HandlerType.POST, "/service/ha/" + verb, summary, SERVE, (context, who) -> {
                    PairControl present = present();
                    String refused = order.apply(present);
                    if (!refused.isEmpty()) {
                        throw new Refusal(Code.NOT_NOW, refused);
                    }
                    audit.did(who, "has the standby " + present.state().node() + " " + verb);
                    Answer.done(context, Code.BEGUN, done, Map.of());
                })
                .bringing(RouteBody.NONE);
    }

    /** Refuses a request that would change the configuration, where another node is the one that takes changes. */
    public static void require(@Nullable PairControl pair, RestRoute route) throws Refusal {
        String refusal = pair == null || !changes(route) ? null : pair.refusal();
        if (refusal != null) {
            throw new Refusal(Code.ON_STANDBY, refusal);
        }
    }

    /** A request was fulfilled: it is answered once the other node has what it has changed. */
    public static void fulfilled(@Nullable PairControl pair, RestRoute route) throws Refusal {
        String problem = pair == null || !changes(route) ? null : pair.configurationChanged();
        if (problem != null) {
            throw new Refusal(Code.NOT_NOW, problem);
        }
    }

    private static boolean changes(RestRoute route) {
        String path = route.path();
        return !READING.contains(route.method())
                && CHANGING.stream().anyMatch(path::startsWith)
                && HARMLESS.stream().noneMatch(path::endsWith);
    }

    static Map<String, Object> described(@Nullable PairControl pair) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Status", pair == null ? "Inactive" : "Active");
        tree.put("Enabled", pair != null);
        if (pair != null) {
            PairHealth state = pair.state();
            tree.put("Node", state.node());
            tree.put("Role", state.role());
            tree.put("Epoch", state.epoch());
            tree.put("ActiveNode", state.leader());
            tree.put("InSync", state.inSync());
            tree.put("LagBytes", state.lagBytes());
            tree.put("LagRecords", state.lagRecords());
            tree.put("LagMs", state.lagMs());
            tree.put("Paused", state.paused());
            tree.put("DiskFull", state.diskFull());
            tree.put("WhyNotInSync", state.whyNotInSync());
        }
        return tree;
    }

    private PairControl present() throws Refusal {
        PairControl present = pair.get();
        if (present == null) {
            throw new Refusal(
                    Code.NOT_FOUND, "this broker is not one of a pair; start it with --ha-group to make it one");
        }
        return present;
    }

    private void switchOver(Context context, Administrator who) throws Refusal {
        PairControl present = present();
        PairHealth state = present.state();
        if (!present.switchOver()) {
            throw new Refusal(
                    Code.NOT_NOW,
                    "the roles cannot be exchanged now: this node, " + state.node() + ", is " + state.role()
                            + ", active is " + (state.leader().isEmpty() ? "none" : state.leader()) + ", in sync "
                            + String.join(", ", state.inSync())
                            + "; ask the active node when both are in sync");
        }
        audit.did(who, "hands the role of the active node over");
        Answer.done(context, Code.BEGUN, "The other node takes over.", Map.of());
    }
}
