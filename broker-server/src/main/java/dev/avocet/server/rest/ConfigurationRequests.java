package dev.avocet.server.rest;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.ConfigurationTree;
import dev.avocet.core.config.object.AdminAction;
import dev.avocet.core.config.object.AdminEndpoint;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.Singletons;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Shape;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.NearestName;
import dev.avocet.core.config.value.SecretValue;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStore.Step;
import dev.avocet.server.objects.ConfigurationStoreException;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads and changes the configuration objects. */
final class ConfigurationRequests {
    private static final Set<AdminAction> READ = Set.of(AdminAction.VIEW, AdminAction.CONFIGURE);
    private static final Set<AdminAction> WRITE = Set.of(AdminAction.CONFIGURE);
    private static final String MESSAGING_POLICY = "MessagingPolicy";
    private static final int NOT_MODIFIED = 304;
    private static final int ACCEPTED = 202;

    private final ConfigurationStore objects;
    private final ShownCertificates certificates;
    private final Supplier<String> place;
    private final AuditLog audit;

    /**
     * Those of a configuration.
     *
     * @param broker null while it starts
     * @param place where the administration listens, in a sentence
     */
    ConfigurationRequests(
            ConfigurationStore objects,
            Supplier<@Nullable RunningBroker> broker,
            Supplier<String> place,
            AuditLog audit) {
        this.objects = objects;
        this.place = place;
        this.certificates = new ShownCertificates(broker);
        this.audit = audit;
    }

    /** The versions come before the types, as they are found first where a path fits both. */
    List<Route> routes() {
        return List.of(
                new Route(HandlerType.GET, "/configuration", "The whole configuration", READ, this::showAll),
                new Route(
                        HandlerType.POST,
                        "/configuration",
                        "Creates and updates objects, all of them or none; properties that are not named stay",
                        WRITE,
                        this::merge),
                new Route(
                        HandlerType.GET, "/configuration/versions", "The versions that are kept", READ, this::versions),
                new Route(
                        HandlerType.GET,
                        "/configuration/versions/{Number}",
                        "The configuration as it was",
                        READ,
                        this::showVersion),
                new Route(
                                HandlerType.POST,
                                "/configuration/versions/{Number}/rollback",
                                "Makes the objects what they were; passwords stay as they are",
                                WRITE,
                                this::rollBack)
                        .bringing(RouteBody.NONE),
                new Route(
                        HandlerType.GET,
                        "/configuration/{Type}",
                        "All objects of a type, or a value",
                        READ,
                        this::showType),
                new Route(
                        HandlerType.PUT,
                        "/configuration/{Type}",
                        "Replaces the object of a type that has only one; properties that are not named get their defaults",
                        WRITE,
                        this::replace),
                new Route(HandlerType.GET, "/configuration/{Type}/{Name}", "One object", READ, this::showOne),
                new Route(
                        HandlerType.PUT,
                        "/configuration/{Type}/{Name}",
                        "Creates or replaces an object; properties that are not named get their defaults",
                        WRITE,
                        this::replace),
                new Route(
                        HandlerType.DELETE,
                        "/configuration/{Type}/{Name}",
                        "Deletes an object; with DiscardMessages, DiscardSharers or Force also one that would take something with it",
                        WRITE,
                        this::delete));
    }

    private void showAll(Context context, Administrator who) {
        Configuration current = objects.current();
        show(context, current, certificates.in(ConfigurationTree.shown(current)));
    }

    private void showType(Context context, Administrator who) throws Refusal {
        Configuration current = objects.current();
        String name = context.pathParam("Type");
        ObjectType values = ObjectTypes.of(Singletons.class);
        if (values.property(name).isPresent()) {
            Property property = values.property(name).orElseThrow();
            show(
                    context,
                    current,
                    Map.of(property.name(), property.type().plain(property.valueIn(current.single(Singletons.class)))));
        } else {
            show(context, current, certificates.in(ConfigurationTree.shown(current, type(name))));
        }
    }

    private void showOne(Context context, Administrator who) throws Refusal {
        Configuration current = objects.current();
        ObjectKey key = key(context);
        if (current.find(key).isEmpty()) {
            throw new Refusal(
                    Code.NOT_FOUND,
                    key + " does not exist"
                            + NearestName.advice(
                                    key.name(), current.all(key.type()).keySet()));
        }
        show(
                context,
                current,
                certificates.in(Map.of(key.type().name(), Map.of(key.name(), ConfigurationTree.shown(current, key)))));
    }

    private static void show(Context context, Configuration configuration, Map<String, ?> tree) {
        Preconditions.tag(context, configuration.version());
        if (Preconditions.isKnown(context, configuration.version())) {
            context.status(NOT_MODIFIED);
        } else {
            Answer.objects(context, tree);
        }
    }

    private void merge(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        apply(context, who, ChangeReader.read(RequestBody.json(context)));
    }

    private void replace(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        ObjectKey key = context.pathParamMap().containsKey("Name")
                ? key(context)
                : type(context.pathParam("Type")).keyOf("");
        if ((key.type().shape() == Shape.SINGLE) != key.name().isEmpty()) {
            throw new Refusal(Code.NOT_FOUND, "PUT is for one object; name it, or use POST for several and for values");
        }
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        key.type().properties().stream()
                .filter(ConfigurationRequests::isReplaced)
                .forEach(property -> properties.put(property.name(), null));
        for (Map.Entry<String, @Nullable Object> given :
                RequestBody.object(context).entrySet()) {
            String name =
                    key.type().property(given.getKey()).map(Property::name).orElse(given.getKey());
            properties.put(name, given.getValue());
        }
        apply(context, who, List.of(ConfigurationChange.put(key, properties)));
    }

    /** What cannot be changed, or cannot be read and so cannot be sent back, stays when it is not named. */
    private static boolean isReplaced(Property property) {
        return !property.is(Trait.KEY)
                && !property.is(Trait.READ_ONLY)
                && !property.is(Trait.FIXED)
                && !(property.type() instanceof SecretValue);
    }

    private void delete(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Set<DeleteOption> options = EnumSet.noneOf(DeleteOption.class);
        for (DeleteOption option : DeleteOption.values()) {
            if (isSet(context, option.toString()) || isSet(context, "Force")) {
                options.add(option);
            }
        }
        ConfigurationChange change = context.pathParam("Type").equals(MESSAGING_POLICY)
                ? new DeleteMessagingPolicy(context.pathParam("Name"))
                : new Delete(key(context), options);
        apply(context, who, List.of(change));
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

    private void apply(Context context, Administrator who, List<ConfigurationChange> changes)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        finish(context, who, objects.make(changes, Preconditions.expectedVersion(context)));
    }

    private void finish(Context context, Administrator who, Step step) {
        audit.changed(who, step);
        long version = step.after().version();
        Preconditions.tag(context, version);
        Answer.done(
                context,
                Code.DONE,
                "The configuration is as asked." + later(step),
                Map.of("ConfigurationVersion", version));
        if (!step.before().pendingDeletes().containsAll(step.after().pendingDeletes())) {
            context.status(ACCEPTED);
        }
    }

    private String later(Step step) {
        boolean pending =
                !step.before().pendingDeletes().containsAll(step.after().pendingDeletes());
        boolean restart = ConfigurationDifference.between(step.before(), step.after()).puts().stream()
                .anyMatch(put -> put.before() != null
                        && put.key().type().properties().stream()
                                .filter(property -> property.is(Trait.NEEDS_RESTART))
                                .anyMatch(property ->
                                        !property.valueIn(put.before()).equals(property.valueIn(put.after()))));
        boolean moved =
                !step.before().single(AdminEndpoint.class).equals(step.after().single(AdminEndpoint.class));
        return (moved && !place.get().isEmpty() ? " " + place.get() : "")
                + (pending ? " What is still used goes when nothing uses it any more." : "")
                + (restart ? " Some of it acts at the next start." : "");
    }

    private void versions(Context context, Administrator who) throws ConfigurationStoreException {
        Preconditions.tag(context, objects.current().version());
        Answer.objects(
                context,
                Map.of(
                        "ConfigurationVersion",
                        objects.current().version(),
                        "ConfigurationVersions",
                        objects.versions()));
    }

    private void showVersion(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Answer.objects(context, ConfigurationTree.shown(objects.version(number(context))));
    }

    private void rollBack(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        finish(context, who, objects.rollBack(number(context), Preconditions.expectedVersion(context)));
    }

    private static long number(Context context) throws Refusal {
        String text = context.pathParam("Number");
        if (!text.matches("[0-9]{1,18}")) {
            throw new Refusal(Code.NOT_FOUND, "a version is a number, not '" + text + "'");
        }
        return Long.parseLong(text);
    }

    private static ObjectKey key(Context context) throws Refusal {
        ObjectType type = type(context.pathParam("Type"));
        if (type.shape() != Shape.NAMED) {
            throw new Refusal(Code.NOT_FOUND, "there is only one " + type + ", which has no name");
        }
        return type.keyOf(context.pathParam("Name"));
    }

    private static ObjectType type(String name) throws Refusal {
        return ObjectTypes.named(name)
                .orElseThrow(() -> new Refusal(
                        Code.NOT_FOUND,
                        "there are no objects of type '" + name + "'"
                                + NearestName.advice(
                                        name,
                                        ObjectTypes.all().stream()
                                                .map(ObjectType::name)
                                                .toList())));
    }
}
