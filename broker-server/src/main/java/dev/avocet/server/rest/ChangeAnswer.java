package dev.avocet.server.rest;

import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.object.AdminEndpoint;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.server.objects.ConfigurationStore.Step;
import io.javalin.http.Context;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What is common to all requests that change the configuration: what they may take with them, and the answer. */
final class ChangeAnswer {
    private static final int ACCEPTED = 202;

    private final Supplier<String> place;
    private final AuditLog audit;

    /** @param place where the administration listens, in a sentence */
    ChangeAnswer(Supplier<String> place, AuditLog audit) {
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
        Answer.done(context, Code.DONE, "The configuration is as asked." + later(step), more);
        if (isPending(step)) {
            context.status(ACCEPTED);
        }
    }

    private static boolean isPending(Step step) {
        return !step.before().pendingDeletes().containsAll(step.after().pendingDeletes());
    }

    private String later(Step step) {
        boolean restart = ConfigurationDifference.between(step.before(), step.after()).puts().stream()
                .anyMatch(put -> put.before() != null
                        && put.key().type().properties().stream()
                                .filter(property -> property.is(Trait.NEEDS_RESTART))
                                .anyMatch(property ->
                                        !property.valueIn(put.before()).equals(property.valueIn(put.after()))));
        boolean moved =
                !step.before().single(AdminEndpoint.class).equals(step.after().single(AdminEndpoint.class));
        return (moved && !place.get().isEmpty() ? " " + place.get() : "")
                + (isPending(step) ? " What is still used goes when nothing uses it any more." : "")
                + (restart ? " Some of it acts at the next start." : "");
    }
}
