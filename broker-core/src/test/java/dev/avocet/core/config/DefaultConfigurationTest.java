package dev.avocet.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.object.server.Singletons;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DefaultConfigurationTest {
    private static final UUID UID = new UUID(1, 2);

    @Test
    void shouldServeLoopbackOnly() {
        // when
        Configuration configuration = DefaultConfiguration.create(UID);

        // then
        assertThat(configuration.version()).isEqualTo(1);
        assertThat(configuration.all(Endpoint.class)).noneMatch(Endpoint::isExposed);
        assertThat(configuration.all(Endpoint.class).stream().filter(Endpoint::enabled))
                .singleElement()
                .satisfies(endpoint -> {
                    assertThat(endpoint.name()).isEqualTo("DemoMqttEndpoint");
                    assertThat(endpoint.port()).isEqualTo(1883);
                    assertThat(endpoint.protocol()).containsExactly(Protocol.JMS, Protocol.MQTT);
                    assertThat(endpoint.maxMessageSizeBytes()).isEqualTo(4 << 20);
                    assertThat(configuration.connectionPolicies(endpoint)).hasSize(1);
                    assertThat(configuration.topicPolicies(endpoint)).hasSize(1);
                    assertThat(configuration.queuePolicies(endpoint)).hasSize(1);
                    assertThat(configuration.subscriptionPolicies(endpoint)).hasSize(1);
                });
        assertThat(configuration.single(AdminEndpoint.class).isExposed()).isFalse();
        assertThat(configuration.single(Singletons.class).serverUid()).isEqualTo(UID.toString());
    }

    @Test
    void shouldSurviveBeingStored() throws ConfigurationRefusedException {
        // given
        Configuration configuration = DefaultConfiguration.create(UID);

        // when
        Configuration restored = ConfigurationTree.restored(ConfigurationTree.stored(configuration));

        // then
        assertThat(restored).isEqualTo(configuration);
    }
}
