package dev.avocet.core.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.policy.ProtectionPolicy;
import dev.avocet.testkit.PolicyFixture;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtectionRulesTest {
    private static final byte[] SIGNED = {(byte) 0xAE, 'A', 'P', 'M', 1, 1, 0, 0};
    private static final byte[] PRIVATE = {(byte) 0xAE, 'A', 'P', 'M', 1, 2, 0, 0};
    private static final byte[] OF_THE_FUTURE = {(byte) 0xAE, 'A', 'P', 'M', 2, 1, 0, 0};

    private final ProtectionRules rules = ProtectionRules.of(configuration());

    private static PolicyFixture fixture() {
        return new PolicyFixture().topic("any", Map.of("ClientID", "*", "Topic", "*", "ActionList", "Publish"));
    }

    private static Configuration configuration() {
        return fixture()
                .with(ProtectionPolicy.class, "all", Map.of("Queue", "*", "Protection", "Integrity"))
                .with(ProtectionPolicy.class, "b", Map.of("Queue", "orders/*", "Protection", "Integrity"))
                .with(ProtectionPolicy.class, "a", Map.of("Queue", "*/orders", "Protection", "Integrity"))
                .with(
                        ProtectionPolicy.class,
                        "eu",
                        Map.of("Queue", "orders/eu/*", "Topic", "meters/*", "Protection", "Integrity"))
                .configuration();
    }

    @Test
    void shouldTakeTheMostSpecificPolicyThenTheFirstByName() {
        assertThat(rules.ofQueue("orders/eu/7").policy().name()).isEqualTo("eu");
        assertThat(rules.ofQueue("orders/us").policy().name()).isEqualTo("b");
        assertThat(rules.ofQueue("orders/orders").policy().name()).isEqualTo("a");
        assertThat(rules.ofQueue("claims").policy().name()).isEqualTo("all");
    }

    @Test
    void shouldTellQueuesFromTopics() {
        assertThat(rules.ofTopic("meters/7").policy().name()).isEqualTo("eu");
        assertThat(rules.ofTopic("orders/eu/7")).isNull();
        assertThat(ProtectionRules.NONE.ofQueue("orders/eu/7")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Privacy |  |  | Recipients: is required with Protection Privacy",
                "Confidentiality |  | CN=a | Signers: has no use with Protection Confidentiality",
                "Integrity |  | no name | Signers: 'no name' is not a subject name"
            })
    void shouldRefusePoliciesThatMeanNothing(String protection, String recipients, String signers, String problem) {
        Map<String, Object> properties = new HashMap<>(Map.of("Queue", "q", "Protection", protection));
        properties.put("Recipients", protection.equals("Confidentiality") ? "CN=b" : recipients);
        properties.put("Signers", signers);

        assertThatThrownBy(() ->
                        fixture().with(ProtectionPolicy.class, "p", properties).configuration())
                .hasMessageContaining(problem.substring(problem.indexOf(':') + 2));
    }

    @Test
    void shouldSayWhatIsWrongWithAPayload() {
        ProtectionRule rule = rules.ofTopic("meters/7");

        assertThat(rule.refusalOf(SIGNED)).isNull();
        assertThat(rule.refusalOf(PRIVATE))
                .isEqualTo("it is sealed for Privacy, and protection policy 'eu' asks for Integrity");
        assertThat(rule.refusalOf("21.5".getBytes(UTF_8)))
                .isEqualTo("it is not sealed, and protection policy 'eu' asks for Integrity");
        assertThat(rule.refusalOf(new byte[0])).startsWith("it is not sealed");
        assertThat(rule.refusalOf(OF_THE_FUTURE)).contains("format version 2");
    }
}
