package dev.avocet.server.rest.config;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.objects.ConfigurationStore.Step;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Preconditions;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What is common to all requests that change the configuration: what they may take with them, and the answer. */
public final class ChangeAnswer {
    private static final int ACCEPTED = 202;
    private static final ObjectType ENDPOINT = ObjectTypes.of(Endpoint.class);
    private static final Set<String> OF_PROFILES = Set.of(
            "SecurityProfile",
            "CertificateProfile",
            "TrustedCertificate",
            "ClientCertificate",
            "CRLProfile",
            "OCSPProfile");

    private final PresentBroker broker;
    private final Supplier<String> place;
    private final AuditLog audit;

    /**
     * Those of a broker.
     *
     * @param broker null while none serves clients
     * @param place where the administration listens, in a sentence
     */
    public ChangeAnswer(PresentBroker broker, Supplier<String> place, AuditLog audit) {
        this.broker = broker;
        this.place = place;
        this.audit = audit;
    }

    /** What may be lost with the objects that go. */
    static Set<DeleteOption> deleteOptions(Context context) throws Refusal {
        Set<DeleteOption> options = EnumSet.noneOf(DeleteOption.class);
        for (DeleteOption option : DeleteOption.values()) {
            if (isSet(context, option.toString()) || isSet(context, "Force")) {
                options.add(option);
            }
        }
        return options;
    }

    private static boolean isSet(Context context, String name) throws Refusal {
        String value = context.queryParam(name);
        if (value == null || value.equalsIgnoreCase("false")) {
            return false;
        }
        if (value.equalsIgnoreCase("true")) {
            return true;
        }
        throw new Refusal(Code.NOT_UNDERSTOOD, name + " must be true or false");
    }

    /**
     * Notes the change and answers.
     *
     * @param warnings what the administrator should know of it; may be empty
     */
    void write(Context context, Administrator who, Step step, List<String> warnings) {
        audit.changed(who, step);
        long version = step.after().version();
        Preconditions.tag(context, version);
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("ConfigurationVersion", version);
        if (!warnings.isEmpty()) {
            more.put("Warnings", warnings);
        }
        List<Map<String, String>> failed = failedEndpoints(step);
        if (!failed.isEmpty()) {
            more.put("Problems", failed);
        }
        Answer.done(context, Code.DONE, message(failed) + later(step), more);
        if (isPending(step)) {
            context.status(ACCEPTED);
        }
    }

    /**
     * Tells what a change would make different that was not made.
     *
     * @param warnings as for {@link #write}
     */
    static void preview(Context context, Step step, List<String> warnings) {
        Preconditions.tag(context, step.before().version());
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("ConfigurationVersion", step.before().version());
        more.put("Differences", ShownDifference.between(step.before(), step.after()));
        if (!warnings.isEmpty()) {
            more.put("Warnings", warnings);
        }
        Answer.done(context, Code.DONE, "The broker would do that. Nothing has changed." + effects(step), more);
    }

    private static String message(List<Map<String, String>> failed) {
        String asAsked = "The configuration is as asked";
        return failed.isEmpty()
                ? asAsked + "."
                : failed.stream()
                        .map(problem -> problem.get("Object") + " " + problem.get("Message"))
                        .collect(Collectors.joining("; ", asAsked + ", but ", "."));
    }

    /** Endpoints that the change is about and that should listen and cannot. */
    private List<Map<String, String>> failedEndpoints(Step step) {
        RunningBroker running = broker.get();
        List<ObjectKey> changed = ConfigurationDifference.between(step.before(), step.after()).puts().stream()
                .map(ConfigurationDifference.Put::key)
                .toList();
        List<Map<String, String>> failed = new ArrayList<>();
        if (running != null && !changed.isEmpty()) {
            for (EndpointState state : running.objectEndpoints()) {
                if (state.problem() != null && concerns(step.after(), changed, state.name())) {
                    Map<String, String> problem = new LinkedHashMap<>();
                    problem.put("Kind", "CANNOT_LISTEN");
                    problem.put("Object", ENDPOINT.keyOf(state.name()).toString());
                    problem.put("Message", "accepts no connections: " + state.problem());
                    failed.add(problem);
                }
            }
        }
        return failed;
    }

    /** Whether one of the objects is the endpoint, or a profile, of which an endpoint may be in need. */
    private static boolean concerns(Configuration now, List<ObjectKey> changed, String endpoint) {
        String profile = now.find(Endpoint.class, endpoint)
                .map(Endpoint::securityProfile)
                .orElse("");
        return changed.contains(ENDPOINT.keyOf(endpoint))
                || (!profile.isEmpty()
                        && changed.stream()
                                .anyMatch(key -> OF_PROFILES.contains(key.type().name())));
    }

    private static boolean isPending(Step step) {
        return !step.before().pendingDeletes().containsAll(step.after().pendingDeletes());
    }

    private String later(Step step) {
        boolean moved =
                !step.before().single(AdminEndpoint.class).equals(step.after().single(AdminEndpoint.class));
        return (moved && !place.get().isEmpty() ? " " + place.get() : "") + effects(step);
    }

    /** What a change does not do at once, in sentences; empty when it does all of it at once. */
    private static String effects(Step step) {
        boolean restart = ConfigurationDifference.between(step.before(), step.after()).puts().stream()
                .anyMatch(put -> put.before() != null
                        && put.key().type().properties().stream()
                                .filter(property -> property.is(Trait.NEEDS_RESTART))
                                .anyMatch(property ->
                                        !property.valueIn(put.before()).equals(property.valueIn(put.after()))));
        return (isPending(step) ? " What is still used goes when nothing uses it any more." : "")
                + (restart ? " Some of it acts at the next start." : "");
    }
}
