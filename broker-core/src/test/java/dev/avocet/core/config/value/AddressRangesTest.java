package dev.avocet.core.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRangesTest {
    private static final String RANGES = "10.0.0.1, 10.1.0.0-10.1.255.255,[::1],[2001:db8::1]-[2001:db8::9]";

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, true",
        "10.0.0.2, false",
        "10.1.0.0, true",
        "10.1.200.3, true",
        "10.1.255.255, true",
        "10.2.0.0, false",
        "::1, true",
        "::2, false",
        "2001:db8::9, true",
        "2001:db8::a, false"
    })
    void shouldContainWhatIsWritten(String address, boolean contained)
            throws InvalidValueException, UnknownHostException {
        assertThat(AddressRanges.parse(RANGES).contains(InetAddress.getByName(address)))
                .isEqualTo(contained);
    }

    @Test
    void shouldBeBounded() throws InvalidValueException {
        // given
        String most = "10.0.0.1" + ",10.0.0.1".repeat(AddressRanges.MAX_RANGES - 1);

        // then
        AddressRanges.parse(most);
        assertThatThrownBy(() -> AddressRanges.parse(most + ",10.0.0.1")).hasMessageContaining("100 are the most");
    }
}
