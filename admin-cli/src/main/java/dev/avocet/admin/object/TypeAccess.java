package dev.avocet.admin.object;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.names.NearestName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one type in a broker, whichever way they stand in JSON. Of what there is one of, the name is empty.
 */
public final class TypeAccess {
    private final ConfigurationApi api;
    private final TypeSchema type;

    public TypeAccess(ConfigurationApi api, TypeSchema type) {
        this.api = api;
        this.type = type;
    }

    /** All objects by name; of what there is one of, its properties. */
    public ConfigurationView view() throws AdminException {
        if (type.shape() != Shape.VALUES) {
            return api.objects(type.name());
        }
        ConfigurationView all = api.all();
        Map<String, @Nullable Object> values = ConfigurationView.copyOf(all.members());
        values.keySet().removeIf(name -> type.property(name).isEmpty());
        return new ConfigurationView(values, all.version());
    }

    boolean isIn(ConfigurationView view, String name) {
        return type.shape() != Shape.NAMED || view.has(name);
    }

    /** The properties of an object. */
    Map<String, @Nullable Object> object(ConfigurationView view, String name) {
        return type.shape() == Shape.NAMED ? view.object(name) : ConfigurationView.copyOf(view.members());
    }

    /** The same, which must be there. */
    public Map<String, @Nullable Object> existing(ConfigurationView view, String name) throws AdminException {
        if (!isIn(view, name)) {
            throw new AdminException(
                    ExitCode.NOT_FOUND,
                    "there is no " + type.called(name)
                            + NearestName.advice(name, view.members().keySet()));
        }
        return object(view, name);
    }

    /** What is posted to change properties of an object. */
    Map<String, ?> body(String name, Map<String, ?> properties) {
        return switch (type.shape()) {
            case NAMED -> Map.of(type.name(), Map.of(name, properties));
            case SINGLE -> Map.of(type.name(), properties);
            case VALUES -> properties;
        };
    }
}
