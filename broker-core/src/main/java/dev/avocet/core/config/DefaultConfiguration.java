package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.MessageHub;
import dev.avocet.core.config.object.policy.ConfigurationPolicy;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.object.security.CertificateProfile;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ConfigurationObject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a broker has when it starts for the first time: the sample objects of the reference product, but reachable from
 * this machine only, so that they are safe and of use in a minute.
 */
public final class DefaultConfiguration {
    /** The version that it has. */
    public static final long VERSION = 1;

    /** The file with the certificate that a new broker makes for its administration. */
    public static final String ADMIN_CERTIFICATE_FILE = "AdminDefaultCert.pem";
    /** The file with its key. */
    public static final String ADMIN_KEY_FILE = "AdminDefaultKey.pem";
    /** Users in this group may administer. */
    public static final String ADMINISTRATORS = "administrators";

    private static final String SAMPLE = "DemoMqttEndpoint";
    private static final String HUB = "DemoHub";
    private static final String CONNECTION_POLICY = "DemoConnectionPolicy";
    private static final String TOPIC_POLICY = "DemoTopicPolicy";
    private static final String QUEUE_POLICY = "DemoQueuePolicy";
    private static final String SUBSCRIPTION_POLICY = "DemoSubscriptionPolicy";
    private static final String ADMIN_POLICY = "AdminDefaultConfigPolicy";
    private static final String ADMIN_CERTIFICATE = "AdminDefaultCertProf";
    private static final String ADMIN_SECURITY = "AdminDefaultSecProfile";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String EVERYBODY = "*";

    private DefaultConfiguration() {}

    /** The configuration of a new broker, as version 1. */
    public static Configuration create(UUID serverUid) {
        try {
            return Configuration.EMPTY.changed(changes(serverUid), LiveUse.NONE, UnaryOperator.identity());
        } catch (ConfigurationRefusedException e) {
            throw new IllegalStateException("the default configuration is not valid", e);
        }
    }

    /** What makes its endpoint accept no client. */
    public static List<ConfigurationChange> withoutEndpoint() {
        return List.of(put(Endpoint.class, SAMPLE, Map.of("Enabled", false)));
    }

    private static List<ConfigurationChange> changes(UUID serverUid) {
        return List.of(
                put(Singletons.class, "", Map.of("ServerUID", serverUid.toString())),
                put(MessageHub.class, HUB, Map.of("Description", "Sample endpoints and policies.")),
                put(ConnectionPolicy.class, CONNECTION_POLICY, Map.of("ClientID", EVERYBODY)),
                put(
                        TopicPolicy.class,
                        TOPIC_POLICY,
                        Map.of("ClientID", EVERYBODY, "Topic", EVERYBODY, "ActionList", "Publish,Subscribe")),
                put(
                        QueuePolicy.class,
                        QUEUE_POLICY,
                        Map.of("ClientID", EVERYBODY, "Queue", EVERYBODY, "ActionList", "Send,Receive,Browse")),
                put(
                        SubscriptionPolicy.class,
                        SUBSCRIPTION_POLICY,
                        Map.of("ClientID", EVERYBODY, "Subscription", EVERYBODY, "ActionList", "Receive,Control")),
                endpoint("DemoEndpoint", 16_102, "JMS,MQTT", false),
                endpoint(SAMPLE, 1883, "JMS,MQTT", true),
                put(
                        ConfigurationPolicy.class,
                        ADMIN_POLICY,
                        Map.of("GroupID", ADMINISTRATORS, "ActionList", "Configure,View,Monitor,Manage")),
                put(
                        CertificateProfile.class,
                        ADMIN_CERTIFICATE,
                        Map.of("Certificate", ADMIN_CERTIFICATE_FILE, "Key", ADMIN_KEY_FILE)),
                put(SecurityProfile.class, ADMIN_SECURITY, Map.of("CertificateProfile", ADMIN_CERTIFICATE)),
                put(
                        AdminEndpoint.class,
                        "",
                        Map.of("ConfigurationPolicies", ADMIN_POLICY, "Description", "The administration.")));
    }

    private static ConfigurationChange endpoint(String name, int port, String protocol, boolean enabled) {
        return put(
                Endpoint.class,
                name,
                Map.of(
                        "Enabled", enabled,
                        "Port", port,
                        "Protocol", protocol,
                        "Interface", LOOPBACK,
                        "ConnectionPolicies", CONNECTION_POLICY,
                        "TopicPolicies", TOPIC_POLICY,
                        "QueuePolicies", QUEUE_POLICY,
                        "SubscriptionPolicies", SUBSCRIPTION_POLICY,
                        "MaxMessageSize", "4096KB",
                        "MessageHub", HUB));
    }

    private static ConfigurationChange put(
            Class<? extends ConfigurationObject> recordClass, String name, Map<String, @Nullable Object> properties) {
        return new ConfigurationChange.Put(ObjectTypes.of(recordClass).keyOf(name), properties, true);
    }
}
