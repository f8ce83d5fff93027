package dev.avocet.server.rest.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PairControl;
import dev.avocet.server.rest.request.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows in the object HighAvailability what the command line of this node says, and takes it back unchanged. */
public final class ShownPair {
    private static final ObjectType TYPE = ObjectTypes.of(HighAvailability.class);

    private final Supplier<@Nullable PairControl> pair;

    /** @param pair null where the process is alone */
    public ShownPair(Supplier<@Nullable PairControl> pair) {
        this.pair = pair;
    }

    /** The tree, as it is but for that object in it. */
    Map<String, Object> in(Map<String, Object> tree) {
        PairControl present = pair.get();
        if (present == null || !(tree.get(TYPE.name()) instanceof Map<?, ?> object)) {
            return tree;
        }
        Map<Object, Object> shown = new LinkedHashMap<>(object);
        shown.putAll(present.ofNode());
        Map<String, Object> all = new LinkedHashMap<>(tree);
        all.put(TYPE.name(), shown);
        return all;
    }

    /** The same members of a change, without what is of this node and is given as it is shown. */
    @Nullable Object withoutShown(@Nullable Object json) throws Refusal {
        if (!(json instanceof Map<?, ?> members) || !(members.get(TYPE.name()) instanceof Map<?, ?> object)) {
            return json;
        }
        Map<Object, @Nullable Object> all = new LinkedHashMap<>(members);
        all.put(TYPE.name(), withoutShownProperties(object));
        return all;
    }

    /** The same for the properties of that object alone. */
    Map<String, @Nullable Object> withoutShownProperties(Map<?, ?> object) throws Refusal {
        PairControl present = pair.get();
        Map<String, Object> ofNode = present == null ? Map.of() : present.ofNode();
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : object.entrySet()) {
            String name = String.valueOf(each.getKey());
            Object shown = ofNode.get(name);
            Property property = TYPE.property(name).orElse(null);
            if (shown == null || property == null || !property.is(Trait.READ_ONLY)) {
                properties.put(name, each.getValue());
            } else if (!shown.toString().equals(String.valueOf(each.getValue()))) {
                throw new Refusal(Code.INVALID, TYPE + ": " + name + ": " + property.whyReadOnly());
            }
        }
        return properties;
    }

    /** For each property that is given another value than an option of this node, that this one goes by the option. */
    List<String> warnings(Map<?, ?> properties) {
        PairControl present = pair.get();
        List<String> warnings = new ArrayList<>();
        if (present != null) {
            Map<String, Object> ofNode = present.ofNode();
            for (Property property : TYPE.properties()) {
                Object option = ofNode.get(property.name());
                boolean isGiven = properties.containsKey(property.name()) && !property.is(Trait.READ_ONLY);
                if (isGiven
                        && option != null
                        && !option.toString().equals(String.valueOf(properties.get(property.name())))) {
                    warnings.add(TYPE + ": " + property.name() + ": kept, but this node goes by " + option
                            + " as an option of its command line says: start it without that option");
                }
            }
        }
        return warnings;
    }

    /** The same for a change of several objects. */
    List<String> warningsOf(@Nullable Object json) {
        return json instanceof Map<?, ?> members && members.get(TYPE.name()) instanceof Map<?, ?> object
                ? warnings(object)
                : List.of();
    }
}
