package dev.avocet.mqtt.codec.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.avocet.mqtt.codec.Refusals;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropertyTest {
    /** Table 2-4 of the standard, by property: packet types by number, 0 for the will. */
    private static final String TABLE = """
            1 0 3
            2 0 3
            3 0 3
            8 0 3
            9 0 3
            11 3 8
            17 1 2 14
            18 2
            19 2
            21 1 2 15
            22 1 2 15
            23 1
            24 0
            25 1
            26 2
            28 2 14
            31 2 4 5 6 7 9 11 14 15
            33 1 2
            34 1 2
            35 3
            36 2
            37 2
            38 0 1 2 3 4 5 6 7 8 9 10 11 14 15
            39 1 2
            40 2
            41 2
            42 2
            """;

    @Test
    void shouldAgreeWithTheStandard() {
        List<String> lines = new ArrayList<>();
        for (int id = 0; id < 128; id++) {
            Property property = Property.of((byte) id);
            if (property != null) {
                assertThat(property.id()).isEqualTo(id);
                lines.add(id + allowedIn(property));
            }
        }
        assertThat(String.join("\n", lines) + "\n").isEqualTo(TABLE);
    }

    private static String allowedIn(Property property) {
        StringBuilder allowed = new StringBuilder();
        for (int scope = 0; scope < 16; scope++) {
            allowed.append(property.isAllowedIn(1 << scope) ? " " + scope : "");
        }
        return allowed.toString();
    }

    @Test
    void shouldKnowNoOtherProperty() {
        for (int id = 128; id < 256; id++) {
            assertThat(Property.of((byte) id)).isNull();
        }
    }

    @Test
    void shouldRepeatOnlyUserPropertiesAndSubscriptionIdentifiersOfPublish() {
        int publish = PacketType.PUBLISH.mask();
        assertThat(Arrays.stream(Property.values()).filter(property -> property.isRepeatableIn(publish)))
                .containsExactly(Property.SUBSCRIPTION_IDENTIFIER, Property.USER_PROPERTY);
        int subscribe = PacketType.SUBSCRIBE.mask();
        assertThat(Arrays.stream(Property.values()).filter(property -> property.isRepeatableIn(subscribe)))
                .containsExactly(Property.USER_PROPERTY);
    }

    @Test
    void shouldNotReadAValueBeyondTheSection() {
        for (Property property : Property.values()) {
            byte[] buf = new byte[16];
            buf[0] = (byte) property.id();
            for (int scope = 0; scope < 16; scope++) {
                PropertyReader reader = new PropertyReader();
                reader.open(buf, 0, 1, 1 << scope, "TEST");
                Refusals.assertRefused(
                        reader::next, ReasonCode.MALFORMED_PACKET, property.isAllowedIn(1 << scope) ? "beyond" : "not");
            }
        }
    }

    /** The array goes on with other packets, of which nothing may leak into this one. */
    @Test
    void shouldNotBelieveALengthBeyondTheSection() {
        for (Property property : Property.values()) {
            boolean hasLength =
                    switch (property.type()) {
                        case UTF8, BINARY, UTF8_PAIR -> true;
                        case FLAG, TWO_BYTE, FOUR_BYTE, VAR_INT -> false;
                    };
            byte[] buf = {(byte) property.id(), 0, 3, 'a', 'b', 'c', 0, 0};
            for (int scope = 0; hasLength && scope < 16; scope++) {
                PropertyReader reader = new PropertyReader();
                reader.open(buf, 0, 5, 1 << scope, "TEST");
                Refusals.assertRefused(
                        reader::next, ReasonCode.MALFORMED_PACKET, property.isAllowedIn(1 << scope) ? "beyond" : "not");
            }
        }
    }

    @Test
    void shouldEndAtTheEnd() {
        PropertyReader reader = new PropertyReader();
        reader.open(new byte[] {1, 1, 1}, 0, 2, Property.WILL, "TEST");
        assertThatCode(() -> {
                    assertThat(reader.next()).isTrue();
                    assertThat(reader.next()).isFalse();
                })
                .doesNotThrowAnyException();
    }
}
