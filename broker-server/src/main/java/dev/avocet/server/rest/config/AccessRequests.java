package dev.avocet.server.rest.config;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.policy.ClientFacts;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.policy.Explanation;
import dev.avocet.core.policy.Explanation.Tried;
import dev.avocet.core.policy.PolicyQuestion;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says whether a client may do something, and which policy decides that. */
public final class AccessRequests {
    private static final String ENDPOINT = "Endpoint";
    private static final String ACTION = "Action";
    private static final String NAME = "Name";
    private static final String CLIENT_ID = "ClientID";
    private static final String USER_ID = "UserID";
    private static final String GROUPS = "Groups";
    private static final String CLIENT_ADDRESS = "ClientAddress";
    private static final String COMMON_NAME = "CommonName";
    private static final String PROTOCOL = "Protocol";
    private static final String CLAIMS = "Claims";
    private static final List<String> SHARES = List.of("$share/", "$SharedSubscription/");
    private static final int MOST_CHARACTERS = 65_535;
    private static final int MOST_VALUES = 1_000;

    private final ConfigurationStore objects;
    private final PresentBroker broker;

    /** @param broker null while none serves clients */
    public AccessRequests(ConfigurationStore objects, PresentBroker broker) {
        this.objects = objects;
        this.broker = broker;
    }

    public List<RestRoute> routes() {
        return List.of(new RestRoute(
                        HandlerType.POST,
                        "/service/access",
                        "Says whether the policies of Endpoint let a client do Action to Name, which policy"
                                + " decides, and which filters of those tried before it do not fit; nothing is changed",
                        Set.of(AdminAction.VIEW, AdminAction.CONFIGURE),
                        this::explain)
                .bringing(RouteBody.of(members(), List.of(ENDPOINT, ACTION))));
    }

    private static Map<String, Object> members() {
        Map<String, Object> text = Map.of("type", "string", "maxLength", (long) MOST_CHARACTERS);
        Map<String, Object> texts = Map.of("type", "array", "items", text);
        Map<String, Object> members = new LinkedHashMap<>();
        for (String member : List.of(ENDPOINT, NAME, CLIENT_ID, USER_ID, CLIENT_ADDRESS, COMMON_NAME)) {
            members.put(member, text);
        }
        members.put(ACTION, Map.of("type", "string", "enum", words(PolicyQuestion.values())));
        members.put(PROTOCOL, Map.of("type", "string", "enum", words(Protocol.values())));
        members.put(GROUPS, texts);
        members.put(CLAIMS, Map.of("type", "object", "additionalProperties", texts));
        return members;
    }

    private void explain(Context context, Administrator who) throws Refusal {
        Map<String, @Nullable Object> body = RequestBody.object(context);
        for (String member : body.keySet()) {
            if (!members().containsKey(member)) {
                throw new Refusal(
                        Code.INVALID,
                        "'" + member + "' is not known here; give "
                                + String.join(", ", members().keySet()));
            }
        }
        PolicyQuestion question = one(body, ACTION, PolicyQuestion.values(), null);
        String name = text(body, NAME);
        if (question.hasName() == name.isEmpty()) {
            throw new Refusal(
                    Code.INVALID,
                    question.hasName()
                            ? NAME + ": give the name of what the client wants to " + question
                            : NAME + ": leave it out, as a connection has no name");
        }
        if (question == PolicyQuestion.SUBSCRIBE && SHARES.stream().anyMatch(name::startsWith)) {
            throw new Refusal(
                    Code.INVALID,
                    NAME + ": give the topic filter behind the name of the share, as that is what TopicPolicies see");
        }
        ClientFacts client = client(body, question);
        EndpointPolicies policies = policies(text(body, ENDPOINT));
        Explanation answer = policies.explain(question, client, name);
        boolean mayConnect =
                policies.explain(PolicyQuestion.CONNECT, client, "").allowed();
        Answer.objects(context, tree(answer, mayConnect));
    }

    /** Those by which the broker decides; of an endpoint that is not there for clients, those that it would have. */
    private EndpointPolicies policies(String endpoint) throws Refusal {
        RunningBroker running = broker.get();
        EndpointPolicies live = running == null ? null : running.policies(endpoint);
        if (live != null) {
            return live;
        }
        Configuration configuration = objects.current();
        if (configuration.find(Endpoint.class, endpoint).isEmpty()) {
            throw new Refusal(Code.NOT_FOUND, ENDPOINT + ": there is no endpoint '" + endpoint + "'");
        }
        EndpointPolicies configured = new EndpointPolicies();
        configured.apply(configuration, endpoint);
        return configured;
    }

    private static ClientFacts client(Map<String, @Nullable Object> body, PolicyQuestion question) throws Refusal {
        Protocol usual = question.policyType().equals("QueuePolicy") ? Protocol.JMS : Protocol.MQTT;
        Map<String, List<String>> claims = new LinkedHashMap<>();
        if (body.containsKey(CLAIMS)) {
            if (!(body.get(CLAIMS) instanceof Map<?, ?> members)) {
                throw new Refusal(Code.INVALID, CLAIMS + ": give an object with a list of values for each claim");
            }
            for (Map.Entry<?, ?> claim : members.entrySet()) {
                claims.put(String.valueOf(claim.getKey()), texts(CLAIMS, claim.getValue()));
            }
        }
        return new ClientFacts(
                textOrNull(body, USER_ID),
                body.containsKey(GROUPS) ? texts(GROUPS, body.get(GROUPS)) : List.of(),
                text(body, CLIENT_ID),
                address(text(body, CLIENT_ADDRESS)),
                textOrNull(body, COMMON_NAME),
                one(body, PROTOCOL, Protocol.values(), usual),
                claims);
    }

    /** No name service is asked. */
    private static @Nullable InetAddress address(String text) throws Refusal {
        if (text.isEmpty()) {
            return null;
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        if (bytes == null) {
            throw new Refusal(Code.INVALID, CLIENT_ADDRESS + ": '" + text + "' is not an IP address");
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    private static String text(Map<String, @Nullable Object> body, String member) throws Refusal {
        if (!body.containsKey(member)) {
            return "";
        }
        if (!(body.get(member) instanceof String text) || text.length() > MOST_CHARACTERS) {
            throw new Refusal(Code.INVALID, member + ": give at most " + MOST_CHARACTERS + " characters in quotes");
        }
        return text;
    }

    private static @Nullable String textOrNull(Map<String, @Nullable Object> body, String member) throws Refusal {
        String text = text(body, member);
        return text.isEmpty() ? null : text;
    }

    private static List<String> texts(String member, @Nullable Object value) throws Refusal {
        if (!(value instanceof List<?> several)
                || several.size() > MOST_VALUES
                || !several.stream()
                        .allMatch(each -> each instanceof String text && text.length() <= MOST_CHARACTERS)) {
            throw new Refusal(Code.INVALID, member + ": give a list of at most " + MOST_VALUES + " texts");
        }
        return several.stream().map(String.class::cast).toList();
    }

    /** @param usual what is meant when it is not there; null when it has to be */
    private static <T> T one(Map<String, @Nullable Object> body, String member, T[] choices, @Nullable T usual)
            throws Refusal {
        String word = text(body, member);
        if (word.isEmpty() && usual != null) {
            return usual;
        }
        return Arrays.stream(choices)
                .filter(choice -> choice.toString().equals(word))
                .findFirst()
                .orElseThrow(
                        () -> new Refusal(Code.INVALID, member + ": give one of " + String.join(", ", words(choices))));
    }

    private static List<String> words(Object[] choices) {
        return Arrays.stream(choices).map(Object::toString).toList();
    }

    private static Map<String, Object> tree(Explanation answer, boolean mayConnect) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Allowed", answer.allowed());
        tree.put("PolicyType", answer.policyType());
        if (answer.policy() != null) {
            tree.put("Policy", answer.policy());
        }
        tree.put("MayConnect", mayConnect);
        tree.put("Message", sentence(answer, mayConnect));
        tree.put("Tried", answer.tried().stream().map(AccessRequests::tree).toList());
        tree.put("NotTried", answer.untried());
        return tree;
    }

    private static Map<String, Object> tree(Tried tried) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Policy", tried.policy());
        tree.put("Applies", tried.differences().isEmpty());
        tree.put(
                "Differences",
                tried.differences().stream()
                        .map(each ->
                                Map.of("Filter", each.property(), "OfPolicy", each.wanted(), "OfClient", each.found()))
                        .toList());
        return tree;
    }

    private static String sentence(Explanation answer, boolean mayConnect) {
        String type = answer.policyType();
        String decision;
        if (!answer.hasPolicies()) {
            decision = "The endpoint has no policies, so everything is allowed.";
        } else if (answer.policy() != null) {
            decision = type + " '" + answer.policy() + "' allows it.";
        } else if (answer.tried().isEmpty()) {
            decision = "It is not allowed, as the endpoint has no " + type + ".";
        } else {
            decision = "It is not allowed, as no " + type + " of the endpoint applies.";
        }
        return answer.allowed() && !mayConnect
                ? decision + " But no ConnectionPolicy lets the client connect."
                : decision;
    }
}
