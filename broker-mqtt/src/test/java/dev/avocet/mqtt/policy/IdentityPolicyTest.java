package dev.avocet.mqtt.policy;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.PolicyFixture;
import dev.avocet.testkit.TestBroker;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Policies ask who a client has proved to be, not who it says it is. */
final class IdentityPolicyTest extends PolicyTest {
    private static final Map<String, Set<String>> GROUPS = Map.of("ann", Set.of("plant", "staff"), "bob", Set.of());

    @Override
    TestBroker newBroker() {
        return TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT, new Believer()))
                .start();
    }

    @Test
    void shouldLetGroupsIn() {
        apply(new PolicyFixture().connection("staff", Map.of("GroupID", "sta*")));

        connected(as("ann"));
        assertThat(open(ProtocolVersion.V5).connect(as("bob")).reasonCode()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldNotTakeANameThatWasNotProved() {
        apply(new PolicyFixture().connection("users", Map.of("UserID", "*")));

        assertThat(open(ProtocolVersion.V5).connect(as("stranger")).reasonCode())
                .isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldPutWhatIsKnownOfTheClientInPlaceOfVariables() {
        apply(topics("own", "${GroupID}/${ClientID}/${UserID}/${CommonName}", "Publish"));
        RawClient ann = connected(as("ann"));

        assertThat(publish(ann, "plant/client/ann/cn")).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(publish(ann, "staff/client/ann/cn")).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(publish(ann, "other/client/ann/cn")).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(publish(ann, "plant/client/bob/cn")).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(publish(connected(as("bob")), "plant/client/bob/cn")).isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    private RawClient connected(Connect connect) {
        RawClient client = open(ProtocolVersion.V5);
        assertThat(client.connect(connect).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        return client;
    }

    private static Connect as(String user) {
        return Connect.builder("client").userName(user).password(new byte[1]).build();
    }

    private static ReasonCode publish(RawClient client, String topic) {
        client.send(publish(topic, AT_LEAST_ONCE, 1));
        return client.receive(PubAck.class).reasonCode();
    }

    /** Takes everybody for who they say they are, if it knows them. */
    private static final class Believer implements Authenticator {
        @Override
        public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
            Set<String> groups = GROUPS.get(String.valueOf(request.userName()));
            answer.accept(
                    groups == null
                            ? LoginResult.ANONYMOUS
                            : new LoginResult.Granted(new ClientIdentity(request.userName(), groups, "cn")));
        }

        @Override
        public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
            return null;
        }
    }
}
