package dev.avocet.core.config.object.messaging;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.field.Choices;
import dev.avocet.core.config.object.field.Interfaces;
import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Size;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;
import java.util.List;
import java.util.Set;

@Doc("An address on which clients are served, and the policies that say who may do what there.")
public record Endpoint(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Doc("Whether new connections are accepted. Connections that are there stay when it is disabled.")
        @Default("true")
        boolean enabled,

        @Doc("The TCP port to listen on.") @Range(min = 1, max = 65_535) @Traits(REQUIRED)
        int port,

        @Doc("What clients may speak here; the first bytes of a connection tell which.") @Default("JMS,MQTT")
        Set<Protocol> protocol,

        @Doc("The address to listen on; `All` means every address of this machine.")
        @Named("Interface")
        @Text(maxLength = 64, format = TextFormat.INTERFACE)
        @Default("All")
        String address,

        @Doc("How clients are authenticated and connections encrypted; plain text and no authentication if empty.")
        @Reference(SecurityProfile.class)
        String securityProfile,

        @Doc("Accept clients from other machines even without a SecurityProfile.")
        boolean allowInsecure,

        @Doc("Who may connect; tried in order, and the first that matches decides.")
        @Reference(ConnectionPolicy.class)
        @Traits(REQUIRED)
        List<String> connectionPolicies,

        @Doc("Who may publish and subscribe; tried in order, and the first that matches decides.")
        @Reference(TopicPolicy.class)
        List<String> topicPolicies,

        @Doc("Who may use queues; tried in order, and the first that matches decides.") @Reference(QueuePolicy.class)
        List<String> queuePolicies,

        @Doc("Who may use global shared durable subscriptions; tried in order, and the first that matches decides.")
        @Reference(SubscriptionPolicy.class)
        List<String> subscriptionPolicies,

        @Doc("Largest message that a client may send.")
        @Named("MaxMessageSize")
        @Size(minKb = 1, maxKb = 262_144) @Default("1024KB")
        long maxMessageSizeBytes,

        @Doc(
                "Most bytes in one write to the network, for the sake of constrained devices. 16384 and more leave it to the broker.")
        @Named("MaxSendSize")
        @Range(min = 128, max = 65_536)
        @Default("16384")
        int maxSendSizeBytes,

        @Doc("Whether several messages go into one write to the network.") @Default("true")
        boolean batchMessages,

        @Doc("Whether a browser that asks for `/` gets a small page about this broker.")
        boolean enableAbout,

        @Doc(
                "Origins of web pages that may connect by WebSocket, with commas between, such as `https://app.example.com`, beside pages from the host name of the endpoint; `*` for every page.")
        @Text(maxLength = 8_192)
        String allowedOrigins,

        @Doc(
                "Whether client identifiers, user names, topics and filters of MQTT clients may hold control characters and"
                        + " noncharacters of Unicode. It holds for connections that are made afterwards.")
        boolean allowControlCharacters,

        @Doc(
                "Whether SUBACK says why a subscription of an MQTT 5 client is refused, such as 0x87 or 0x8F; if not, it is 0x80,"
                        + " as older clients expect. It holds for connections that are made afterwards.")
        @Default("true")
        boolean preciseSubscribeCodes,

        @Doc(
                "Whether an AMQP address that is a bare name is a topic where no queue has that name; if not, it is refused, as"
                        + " nothing may be subscribed to that topic. It holds for connections that are made afterwards.")
        boolean bareNamesAreTopics,

        @Doc(
                "Another server, as `host:port`, to which every client is sent instead of being served: with CONNACK 0x9C, MQTT 3 clients"
                        + " with server unavailable, AMQP clients with `amqp:connection:redirect`. Connections that are there stay.")
        @Text(maxLength = 300, format = TextFormat.SERVER)
        String redirectTo,

        @Doc("The group that it belongs to.") @Reference(MessageHub.class) @Traits(REQUIRED)
        String messageHub)
        implements ConfigurationObject {
    /** Copies the collections. */
    public Endpoint {
        protocol = Choices.copyOf(protocol);
        connectionPolicies = List.copyOf(connectionPolicies);
        topicPolicies = List.copyOf(topicPolicies);
        queuePolicies = List.copyOf(queuePolicies);
        subscriptionPolicies = List.copyOf(subscriptionPolicies);
    }

    /** Whether other machines can reach it. */
    public boolean isExposed() {
        return Interfaces.isExposed(address);
    }

    @Override
    public void check(ObjectProblems problems) {
        if (topicPolicies.isEmpty() && queuePolicies.isEmpty() && subscriptionPolicies.isEmpty()) {
            problems.add(
                    "TopicPolicies",
                    "must name a policy when QueuePolicies and SubscriptionPolicies do not; without any, no client may do anything");
        }
        if (enabled && isExposed() && securityProfile.isEmpty() && !allowInsecure) {
            problems.add(
                    "SecurityProfile",
                    "is required where others can reach the endpoint; name one, set Interface to 127.0.0.1,"
                            + " or let every client in with AllowInsecure");
        }
    }
}
