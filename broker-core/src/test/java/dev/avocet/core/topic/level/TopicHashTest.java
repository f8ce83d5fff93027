package dev.avocet.core.topic.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopicHashTest {
    private static final byte[] TEXT = "a topic/of some length/and more of it".getBytes(StandardCharsets.UTF_8);

    private final TopicHash hash = new TopicHash(4_711);

    @Test
    void shouldDependOnEachByte() {
        Set<Integer> seen = new HashSet<>();
        int count = 0;
        for (int length = 0; length <= 26; length++) {
            seen.add(hash.hash(TEXT, 0, length));
            count++;
            for (int at = 0; at < length; at++) {
                byte[] other = TEXT.clone();
                other[at] ^= 1;
                seen.add(hash.hash(other, 0, length));
                count++;
            }
        }
        assertThat(seen).hasSize(count);
    }

    @Test
    void shouldBeTheSameWhereverTheBytesLie() {
        for (int length = 0; length <= 26; length++) {
            byte[] packet = new byte[40];
            System.arraycopy(TEXT, 0, packet, 7, length);
            packet[7 + length] = '!';
            assertThat(hash.hash(packet, 7, length)).isEqualTo(hash.hash(TEXT, 0, length));
        }
    }
}
