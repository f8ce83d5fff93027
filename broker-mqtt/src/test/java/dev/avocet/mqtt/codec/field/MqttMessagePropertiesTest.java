package dev.avocet.mqtt.codec.field;

import static dev.avocet.mqtt.codec.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.junit.jupiter.api.Test;

class MqttMessagePropertiesTest {
    @Test
    void shouldKeepWhatWasBuilt() {
        // when
        MessageProperties properties = MqttMessageProperties.builder()
                .payloadText(true)
                .contentType("text/plain")
                .responseTopic("reply")
                .correlationData(new byte[] {1, 2})
                .userProperty("a", "1")
                .userProperty("a", "")
                .build();

        // then
        assertThat(properties.isEmpty()).isFalse();
        assertThat(properties.isPayloadText()).isTrue();
        assertThat(properties.contentType()).isEqualTo("text/plain");
        assertThat(properties.responseTopic()).isEqualTo("reply");
        assertThat(properties.correlationData()).isEqualTo(new byte[] {1, 2});
        assertThat(properties.userProperties()).containsExactly(new UserProperty("a", "1"), new UserProperty("a", ""));
        assertThat(properties.sizeBytes()).isGreaterThan(40);
        assertThat(MqttMessageProperties.of(properties)).isSameAs(properties);
    }

    @Test
    void shouldSayWhatIsNotThere() {
        // given nothing but a payload format indicator of 0
        MessageProperties properties = new MqttMessageProperties(bytes(0x01, 0));

        // then
        assertThat(properties.isPayloadText()).isFalse();
        assertThat(properties.contentType()).isNull();
        assertThat(properties.responseTopic()).isNull();
        assertThat(properties.correlationData()).isNull();
        assertThat(properties.userProperties()).isEmpty();
    }

    @Test
    void shouldBeNoneWhenNothingWasGiven() {
        assertThat(MqttMessageProperties.builder().build()).isSameAs(MessageProperties.NONE);
        assertThat(MqttMessageProperties.of(MessageProperties.NONE)).isSameAs(MessageProperties.NONE);
    }

    /** [MQTT-1.5.4-2] [MQTT-3.3.2-14] */
    @Test
    void shouldLeaveOutWhatMqttCannotCarry() {
        // when
        MessageProperties properties = MqttMessageProperties.builder()
                .contentType("a\0b")
                .responseTopic("reply/#")
                .correlationData(new byte[65_536])
                .userProperties(List.of(
                        new UserProperty("long", "x".repeat(65_536)),
                        new UserProperty("nul", "\0"),
                        new UserProperty("wide", "\u20ac".repeat(21_846)),
                        new UserProperty("good", "\u20ac".repeat(21_845))))
                .build();

        // then
        assertThat(properties.contentType()).isNull();
        assertThat(properties.responseTopic()).isNull();
        assertThat(properties.correlationData()).isNull();
        assertThat(properties.userProperties()).extracting(UserProperty::name).containsExactly("good");
    }

    /** [MQTT-1.5.4-1] */
    @Test
    void shouldWriteUnpairedSurrogatesAsQuestionMarks() {
        assertThat(MqttMessageProperties.builder()
                        .contentType("a\ud800b")
                        .build()
                        .contentType())
                .isEqualTo("a?b");
    }
}
