package dev.avocet.server.rest.config;

import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RouteBody;
import dev.avocet.server.setup.SetupWishes;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the administrator wants of a first configuration. What is wrong is told at its member. */
record SetupBody(Map<String, @Nullable Object> members, List<String> queues) {
    static final String USER = "User";
    static final String HOST_NAME = "HostName";
    static final List<String> REQUIRED = List.of("Address", "Port", "AdminPassword", USER, "UserPassword");

    private static final String PORT = "Port";
    private static final String QUEUES = "Queues";
    private static final List<String> OPTIONAL = List.of(HOST_NAME, "Certificate", "Key");
    private static final List<String> PASSWORDS = List.of("AdminPassword", "UserPassword");
    private static final int SHORTEST_PASSWORD = 8;
    private static final int PORTS = 65_535;

    SetupBody {
        queues = List.copyOf(queues);
    }

    static Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        REQUIRED.forEach(name -> schema.put(name, name.equals(PORT) ? RouteBody.number(1, PORTS) : RouteBody.TEXT));
        OPTIONAL.forEach(name -> schema.put(name, RouteBody.TEXT));
        schema.put(QUEUES, RouteBody.NAMES);
        return schema;
    }

    static SetupBody of(Context context) throws Refusal {
        Map<String, @Nullable Object> members = RequestBody.object(context);
        for (Map.Entry<String, @Nullable Object> member : members.entrySet()) {
            String name = member.getKey();
            if (!schema().containsKey(name)) {
                throw new Refusal(
                        Code.INVALID, "'" + name + "' is not known here; give " + String.join(", ", schema().keySet()));
            }
            boolean isText = member.getValue() instanceof String;
            if (!name.equals(PORT) && !name.equals(QUEUES) && !isText && member.getValue() != null) {
                throw new Refusal(Code.INVALID, name + ": give text in quotes");
            }
        }
        Object given = members.getOrDefault(QUEUES, List.of());
        if (!(given instanceof List<?> names) || !names.stream().allMatch(String.class::isInstance)) {
            throw new Refusal(Code.INVALID, QUEUES + ": give a list of names");
        }
        return new SetupBody(members, names.stream().map(String::valueOf).toList());
    }

    static ConfigurationProblem problem(String member, String message) {
        return new ConfigurationProblem(Kind.INVALID, "Setup", member, message);
    }

    /** What is wrong with it by itself. */
    List<ConfigurationProblem> problems(int mostQueues) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        for (String name : REQUIRED) {
            if (!name.equals(PORT) && text(name).isEmpty()) {
                problems.add(problem(name, "is required"));
            }
        }
        if (!(members.get(PORT) instanceof Number number) || !isPort(number)) {
            problems.add(problem(PORT, "must be a whole number from 1 to " + PORTS));
        }
        for (String name : PASSWORDS) {
            int characters = text(name).codePointCount(0, text(name).length());
            if (characters > 0 && characters < SHORTEST_PASSWORD) {
                problems.add(problem(
                        name,
                        "has " + characters + " characters, which is too short; give at least " + SHORTEST_PASSWORD));
            }
        }
        boolean isMade = !hostName().isEmpty();
        boolean isUploaded = !certificate().isEmpty() && !key().isEmpty();
        if (isMade == isUploaded || certificate().isEmpty() != key().isEmpty()) {
            problems.add(problem(
                    HOST_NAME,
                    "give either the host name of a certificate that the broker makes, or Certificate and Key, which"
                            + " name uploaded files"));
        }
        if (queues.size() > mostQueues) {
            problems.add(problem(QUEUES, "are " + queues.size() + "; the setup makes at most " + mostQueues));
        }
        return problems;
    }

    private static boolean isPort(Number number) {
        return number.doubleValue() == number.longValue() && number.longValue() >= 1 && number.longValue() <= PORTS;
    }

    String user() {
        return text(USER);
    }

    String hostName() {
        return text(HOST_NAME);
    }

    String certificate() {
        return text("Certificate");
    }

    String key() {
        return text("Key");
    }

    /** Only of a body without {@link #problems}. */
    SetupWishes wishes() {
        Object port = members.get(PORT);
        return new SetupWishes(
                text("AdminPassword"),
                text("Address"),
                port instanceof Number number ? number.intValue() : 0,
                "",
                "",
                hostName(),
                user(),
                text("UserPassword"),
                queues.stream().distinct().toList(),
                "",
                0);
    }

    private String text(String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    @Override
    public String toString() {
        return "setup of " + user();
    }
}
