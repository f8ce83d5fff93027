package dev.avocet.core.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceValuesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"5|5|5|5", "5,mqtt:9,-tcp|5|9|0", "0,tcp:3,tcp:4|0|0|4", "9,-mqtt|9|0|9", "''|0|0|0"})
    void shouldReadLevels(String text, int store, int mqtt, int tcp) throws Exception {
        TraceLevels levels = TraceLevels.parse(text);

        assertThat(levels.of(TraceComponent.STORE)).isEqualTo(store);
        assertThat(levels.of(TraceComponent.MQTT)).isEqualTo(mqtt);
        assertThat(levels.of(TraceComponent.TCP)).isEqualTo(tcp);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "mqtt:9", "5,mqtt", "5,mqtt:", "5,mqtt:10", "5,", "5,-", "5,mqtt:9,", "5;mqtt:9"})
    void shouldRefuseWhatIsNoLevel(String text) {
        assertThatThrownBy(() -> TraceLevels.parse(text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("5,mqtt:9,-tcp");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5,mqqt:9", "5,-jca"})
    void shouldNameTheComponentsToWhoeverNamesAnother(String text) {
        assertThatThrownBy(() -> TraceLevels.parse(text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("tcp, tls, mqtt, jms, engine, store, security, admin");
        assertThat(TraceLevels.ofStored(text)).isEqualTo(TraceLevels.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "endpoint=field|true",
                "endpoint=other|false",
                "ClientID=phone-7|true",
                "clientid=phone*|true",
                "clientid=phone|false",
                "clientid=*|true",
                "clientid=a,clientid=phone-7|true",
                "endpoint=field, clientid=a|false",
                "clientaddr=10.0.0.1-10.0.0.9|true",
                "clientaddr=10.0.0.1,clientaddr=10.0.0.7|true",
                "clientaddr=10.0.0.1|false",
                "''|false"
            })
    void shouldSelectConnections(String text, boolean expected) throws Exception {
        TraceSelection selection = TraceSelection.parse(text);

        assertThat(selection.matches("field", "phone-7", InetAddress.getByName("10.0.0.7")))
                .isEqualTo(expected);
    }

    @Test
    void shouldNotSelectByAnAddressThatIsNotKnown() throws Exception {
        assertThat(TraceSelection.parse("clientaddr=10.0.0.1").matches("field", "phone", null))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"phone", "clientid=", "=phone", "user=anna", "clientid=a,", "clientaddr=here"})
    void shouldRefuseWhatSelectsNothing(String text) {
        assertThatThrownBy(() -> TraceSelection.parse(text)).isInstanceOf(InvalidValueException.class);
        assertThat(TraceSelection.ofStored(text)).isEqualTo(TraceSelection.NONE);
    }
}
