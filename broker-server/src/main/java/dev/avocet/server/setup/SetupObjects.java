package dev.avocet.server.setup;

import dev.avocet.core.config.object.field.Interfaces;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The objects of a first configuration, for a broker that does not run and for one that does. */
public final class SetupObjects {
    /** Endpoints of the default configuration that are disabled. */
    public static final List<String> SAMPLES = List.of("DemoMqttEndpoint", "DemoEndpoint");

    private static final String ENDPOINT = "Main";
    private static final String SECURITY = "TlsAndPassword";

    private SetupObjects() {}

    /**
     * In the form of {@link dev.avocet.core.config.ChangeReader}.
     *
     * @param certificate the name of the uploaded file with the certificate
     * @param key that of the file with its key
     */
    public static Map<String, Object> of(SetupWishes wishes, String certificate, String key) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("AdminUserPassword", wishes.adminPassword());
        tree.put("MessageHub", Map.of("MainHub", Map.of("Description", "Endpoints and policies of the setup.")));
        tree.put("CertificateProfile", Map.of(ENDPOINT, Map.of("Certificate", certificate, "Key", key)));
        tree.put("SecurityProfile", Map.of(SECURITY, Map.of("CertificateProfile", ENDPOINT)));
        tree.put("ConnectionPolicy", Map.of("EveryUser", Map.of("UserID", "*")));
        tree.put(
                "TopicPolicy",
                Map.of(
                        "OwnTopics",
                        Map.of("UserID", "*", "Topic", "${UserID}/*", "ActionList", "Publish,Subscribe"),
                        "CommonTopics",
                        Map.of("UserID", "*", "Topic", "common/*", "ActionList", "Publish,Subscribe")));
        Map<String, Object> endpoint = new LinkedHashMap<>();
        endpoint.put("Port", (long) wishes.port());
        endpoint.put("Interface", wishes.address());
        endpoint.put("Protocol", "MQTT,JMS");
        endpoint.put("MessageHub", "MainHub");
        endpoint.put("SecurityProfile", SECURITY);
        endpoint.put("ConnectionPolicies", "EveryUser");
        endpoint.put("TopicPolicies", "OwnTopics,CommonTopics");
        if (!wishes.queues().isEmpty()) {
            tree.put("Queue", each(wishes.queues(), queue -> Map.of()));
            tree.put("QueuePolicy", each(wishes.queues(), SetupObjects::everyUserMayUse));
            endpoint.put("QueuePolicies", String.join(",", wishes.queues()));
        }
        if (!wishes.adminAddress().isEmpty()) {
            tree.put("AdminEndpoint", adminEndpoint(wishes));
        }
        Map<String, Object> endpoints = each(SAMPLES, sample -> Map.of("Enabled", false));
        endpoints.put(ENDPOINT, endpoint);
        tree.put("Endpoint", endpoints);
        return tree;
    }

    private static Map<String, Object> each(List<String> names, Function<String, Map<String, Object>> properties) {
        Map<String, Object> objects = new LinkedHashMap<>();
        names.forEach(name -> objects.put(name, properties.apply(name)));
        return objects;
    }

    private static Map<String, Object> everyUserMayUse(String queue) {
        return Map.of("UserID", "*", "Queue", queue, "ActionList", "Send,Receive,Browse");
    }

    /** With TLS where other machines reach it. */
    private static Map<String, Object> adminEndpoint(SetupWishes wishes) {
        Map<String, Object> place = new LinkedHashMap<>();
        place.put("Interface", wishes.adminAddress());
        place.put("Port", (long) wishes.adminPort());
        if (Interfaces.isExposed(wishes.adminAddress())) {
            place.put("SecurityProfile", SECURITY);
        }
        return place;
    }
}
