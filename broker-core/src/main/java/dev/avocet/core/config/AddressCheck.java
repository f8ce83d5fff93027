package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.ObjectType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * No two enabled endpoints, the one of the administration included, listen on the same port of the same address. Of two
 * that would, the one that the change has made so is named as the wrong one.
 */
final class AddressCheck {
    private static final String ALL = "All";

    private final Draft draft;
    private final List<ConfigurationProblem> problems;

    AddressCheck(Draft draft, List<ConfigurationProblem> problems) {
        this.draft = draft;
        this.problems = problems;
    }

    void check() {
        List<Listener> all = new ArrayList<>();
        ObjectType admin = ObjectTypes.of(AdminEndpoint.class);
        draft.all(admin).values().forEach(object -> all.add(listener(admin.keyOf(""), object)));
        ObjectType endpoints = ObjectTypes.of(Endpoint.class);
        draft.all(endpoints).forEach((name, object) -> {
            if (object instanceof Endpoint endpoint && endpoint.enabled()) {
                all.add(listener(endpoints.keyOf(name), object));
            }
        });
        all.sort(Comparator.comparing(listener -> draft.isChanged(listener.key)));
        List<Listener> taken = new ArrayList<>();
        all.forEach(listener -> check(listener, taken));
    }

    private static Listener listener(ObjectKey key, ConfigurationObject object) {
        return object instanceof AdminEndpoint admin
                ? new Listener(key, admin.address(), admin.port())
                : new Listener(key, ((Endpoint) object).address(), ((Endpoint) object).port());
    }

    private void check(Listener listener, List<Listener> taken) {
        taken.stream()
                .filter(listener::collidesWith)
                .findFirst()
                .ifPresent(other -> new ObjectProblems(problems, listener.key)
                        .add(
                                "Port",
                                listener.port + " is used by " + other.key
                                        + "; choose another, or disable one of the two"));
        taken.add(listener);
    }

    private record Listener(ObjectKey key, String address, int port) {
        boolean collidesWith(Listener other) {
            boolean sameAddress = address.equals(other.address) || address.equals(ALL) || other.address.equals(ALL);
            return port == other.port && sameAddress;
        }
    }
}
