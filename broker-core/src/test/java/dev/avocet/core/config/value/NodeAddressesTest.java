package dev.avocet.core.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAddressesTest {
    @Test
    void shouldGiveTheAddressOfANode() throws Exception {
        // when
        NodeAddresses addresses = NodeAddresses.parse("a=mq1.example.com, b=[2001:db8::1]:1884");

        // then
        assertThat(addresses.of("a", "10.0.0.1", 1883)).isEqualTo(new ServerAddress("mq1.example.com", 1883));
        assertThat(addresses.of("b", "10.0.0.2", 1883)).isEqualTo(new ServerAddress("2001:db8::1", 1884));
    }

    @Test
    void shouldGoByTheHostOfANodeThatIsNotNamed() throws Exception {
        assertThat(NodeAddresses.parse("").of("a", "10.0.0.1", 1883)).isEqualTo(new ServerAddress("10.0.0.1", 1883));
        assertThat(NodeAddresses.parse("a=[::1]").of("a", "10.0.0.1", 1883)).isEqualTo(new ServerAddress("::1", 1883));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "=host", "a=", "a=host:0", "a=host:70000", "a=one,a=two", "a=one,", "a=no host"})
    void shouldRefuseWhatNamesNoNodeOrNoAddress(String text) {
        assertThatThrownBy(() -> NodeAddresses.parse(text)).isInstanceOf(InvalidValueException.class);
    }
}
