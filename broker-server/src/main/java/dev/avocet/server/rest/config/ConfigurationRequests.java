package dev.avocet.server.rest.config;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.ConfigurationTree;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Shape;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.names.NearestName;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Preconditions;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and changes the configuration objects. */
public final class ConfigurationRequests {
    private static final Set<AdminAction> READ = Set.of(AdminAction.VIEW, AdminAction.CONFIGURE);
    private static final Set<AdminAction> WRITE = Set.of(AdminAction.CONFIGURE);
    private static final String MESSAGING_POLICY = "MessagingPolicy";
    private static final int NOT_MODIFIED = 304;

    private static final String LDAP_TYPE = "LDAP";
    private static final String VERIFY = "Verify";

    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final ShownCertificates certificates;
    private final ChangeAnswer answer;
    private final DirectoryRequests directory;
    private final ShownPair pair;

    /**
     * Those of a configuration.
     *
     * @param broker null while none serves clients
     * @param pair adds what is of this node
     * @param directory tries an LDAP object that is given with {@code Verify}
     */
    public ConfigurationRequests(
            ConfigurationStore objects,
            PresentBroker broker,
            ChangeAnswer answer,
            DirectoryRequests directory,
            ShownPair pair) {
        this.objects = objects;
        this.broker = broker;
        this.certificates = new ShownCertificates(broker);
        this.answer = answer;
        this.directory = directory;
        this.pair = pair;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(HandlerType.GET, "/configuration", "The whole configuration", READ, this::showAll),
                new RestRoute(
                        HandlerType.POST,
                        "/configuration",
                        "Creates and updates objects, all of them or none; properties that are not named stay",
                        WRITE,
                        this::merge),
                new RestRoute(
                        HandlerType.GET,
                        "/configuration/{Type}",
                        "All objects of a type, or a value",
                        READ,
                        this::showType),
                new RestRoute(
                        HandlerType.PUT,
                        "/configuration/{Type}",
                        "Replaces the object of a type that has only one; properties that are not named get their defaults",
                        WRITE,
                        this::replace),
                new RestRoute(HandlerType.GET, "/configuration/{Type}/{Name}", "One object", READ, this::showOne),
                new RestRoute(
                        HandlerType.PUT,
                        "/configuration/{Type}/{Name}",
                        "Creates or replaces an object; properties that are not named get their defaults",
                        WRITE,
                        this::replace),
                new RestRoute(
                        HandlerType.DELETE,
                        "/configuration/{Type}/{Name}",
                        "Deletes an object; with DiscardMessages, DiscardSharers or Force also one that would take something with it",
                        WRITE,
                        this::delete));
    }

    private void showAll(Context context, Administrator who) {
        Configuration current = objects.current();
        show(context, current, pair.in(certificates.in(ConfigurationTree.shown(current))));
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
        } else if (context.path().startsWith(RestRoute.OF_REFERENCE + "/")
                && foreignValues().find(name).isPresent()) {
            show(context, current, Map.of(name, foreignValues().find(name).orElseThrow()));
        } else {
            show(context, current, pair.in(certificates.in(ConfigurationTree.shown(current, type(name)))));
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
        Object json = pair.withoutShown(RequestBody.json(context));
        List<String> warnings = new ArrayList<>(pair.warningsOf(json));
        if (context.path().startsWith(RestRoute.OF_REFERENCE + "/") && json instanceof Map<?, ?> members) {
            Map<String, @Nullable Object> known = new LinkedHashMap<>();
            members.forEach((name, value) -> known.put(String.valueOf(name), value));
            warnings.addAll(foreignValues().takeFrom(known));
            json = known;
        }
        Map<String, @Nullable Object> verified = takeVerify(json);
        if (verified != null) {
            directory.verify(context, who, verified);
            return;
        }
        apply(context, who, ChangeReader.read(json), warnings);
    }

    /**
     * Takes {@code Verify} out of an LDAP object, by which the reference product tests it in place of keeping it.
     *
     * @return the other properties when the object is to be tested; null when it is to be kept
     */
    private static @Nullable Map<String, @Nullable Object> takeVerify(@Nullable Object json) throws Refusal {
        if (!(json instanceof Map<?, ?> members)
                || !(members.get(LDAP_TYPE) instanceof Map<?, ?> properties)
                || !properties.containsKey(VERIFY)) {
            return null;
        }
        Object verify = properties.remove(VERIFY);
        if (!(verify instanceof Boolean)) {
            throw new Refusal(Code.INVALID, LDAP_TYPE + ": " + VERIFY + ": must be true or false");
        }
        if (verify.equals(false)) {
            return null;
        }
        if (members.size() > 1) {
            throw new Refusal(Code.INVALID, VERIFY + " tests an LDAP object; give no other object with it");
        }
        Map<String, @Nullable Object> given = new LinkedHashMap<>();
        properties.forEach((name, value) -> given.put(String.valueOf(name), value));
        return given;
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
        Map<String, @Nullable Object> body = RequestBody.object(context);
        boolean isPair = key.type().equals(ObjectTypes.of(HighAvailability.class));
        for (Map.Entry<String, @Nullable Object> given :
                (isPair ? pair.withoutShownProperties(body) : body).entrySet()) {
            String name =
                    key.type().property(given.getKey()).map(Property::name).orElse(given.getKey());
            properties.put(name, given.getValue());
        }
        apply(
                context,
                who,
                List.of(ConfigurationChange.put(key, properties)),
                isPair ? pair.warnings(body) : List.of());
    }

    /** What cannot be changed, or cannot be read and so cannot be sent back, stays when it is not named. */
    private static boolean isReplaced(Property property) {
        return !property.is(Trait.KEY)
                && !property.is(Trait.READ_ONLY)
                && !property.is(Trait.FIXED)
                && !property.type().isSecret();
    }

    private void delete(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Set<DeleteOption> options = ChangeAnswer.deleteOptions(context);
        ConfigurationChange change = context.pathParam("Type").equals(MESSAGING_POLICY)
                ? new DeleteMessagingPolicy(context.pathParam("Name"))
                : new Delete(key(context), options);
        apply(context, who, List.of(change), List.of());
    }

    private ForeignValues foreignValues() {
        RunningBroker running = broker.get();
        return new ForeignValues(running != null && running.store() != null, running != null && running.fips());
    }

    private void apply(Context context, Administrator who, List<ConfigurationChange> changes, List<String> warnings)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        answer.write(
                context,
                who,
                objects.make(changes, Preconditions.expectedVersion(context), who.origin("change")),
                warnings);
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
