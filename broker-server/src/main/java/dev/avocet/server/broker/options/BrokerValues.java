package dev.avocet.server.broker.options;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.endpoint.ConnectionGuard;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.objects.ConfigurationListener;
import dev.avocet.server.system.SystemTopics;

/**
 * Applies the single values of the configuration that bound what clients may do. A value that is not its default takes
 * the place of what the startup file says.
 */
public final class BrokerValues implements ConfigurationListener {
    private final ServerConfig config;
    private final Broker broker;
    private final ConnectionGuard guard;
    private final SystemTopics systemTopics;
    private volatile MqttOptions mqttOptions;
    private volatile String serverName;

    public BrokerValues(ServerConfig config, Broker broker, ConnectionGuard guard, SystemTopics systemTopics) {
        this.config = config;
        this.broker = broker;
        this.guard = guard;
        this.systemTopics = systemTopics;
        this.mqttOptions = CoreOptions.mqtt(config.mqtt());
        this.serverName = config.serverName();
    }

    /** What holds for MQTT clients now. Any thread. */
    public MqttOptions mqttOptions() {
        return mqttOptions;
    }

    /** What the broker is called now. Any thread. */
    public String serverName() {
        return serverName;
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        Singletons values = after.single(Singletons.class);
        guard.limits(connections(config, after));
        broker.topicLevelsMax(
                orElse("MaxTopicLevels", values.maxTopicLevels(), config.mqtt().maxTopicLevels()));
        broker.queues().dynamicMax(values.maxDynamicQueues());
        mqttOptions = CoreOptions.mqtt(config.mqtt())
                .withLimits(
                        orElse(
                                "MaxKeepAlive",
                                values.maxKeepAliveSeconds(),
                                config.mqtt().serverKeepAliveMaxSeconds()),
                        orElse(
                                "MaxSubscriptionsPerClient",
                                values.maxSubscriptionsPerClient(),
                                config.mqtt().maxSubscriptionsPerClient()));
        serverName = values.serverName().isEmpty() ? config.serverName() : values.serverName();
        systemTopics.serverName(serverName);
    }

    /** How many connections there may be. */
    public static ConnectionGuard.Limits connections(ServerConfig config, Configuration objects) {
        Singletons values = objects.single(Singletons.class);
        return CoreOptions.connections(
                config.limits(),
                orElse(
                        "MaxConnections",
                        values.maxConnections(),
                        config.limits().maxConnections()),
                orElse(
                        "MaxConnectionsPerSecond",
                        values.maxConnectionsPerSecond(),
                        config.limits().connectionsPerSecond()));
    }

    private static int orElse(String property, int value, int startup) {
        Object byDefault = ObjectTypes.of(Singletons.class)
                .property(property)
                .orElseThrow()
                .defaultValue();
        return byDefault.equals(value) ? startup : value;
    }
}
