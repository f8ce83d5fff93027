package dev.avocet.core.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BranchIdTest {
    @Test
    void shouldComeBackFromItsBytes() {
        BranchId longest = new BranchId(Integer.MAX_VALUE, new byte[64], new byte[64]);
        BranchId shortest = new BranchId(0, new byte[] {1}, new byte[0]);

        assertThat(BranchId.decode(longest.encoded())).isEqualTo(longest).hasSameHashCodeAs(longest);
        assertThat(BranchId.decode(shortest.encoded())).isEqualTo(shortest).isNotEqualTo(longest);
        assertThat(new BranchId(1, new byte[] {0x0A, (byte) 0xB0}, new byte[] {1}))
                .hasToString("1:0ab0:01");
    }

    @Test
    void shouldTellPartsApart() {
        BranchId one = new BranchId(1, new byte[] {1, 2}, new byte[] {3});

        assertThat(one)
                .isNotEqualTo(new BranchId(1, new byte[] {1}, new byte[] {2, 3}))
                .isNotEqualTo(new BranchId(2, new byte[] {1, 2}, new byte[] {3}));
    }

    @Test
    void shouldNotChangeWithTheArraysItWasMadeOf() {
        byte[] global = {1};
        BranchId branch = new BranchId(1, global, new byte[0]);

        global[0] = 2;
        branch.globalTransactionId()[0] = 2;

        assertThat(branch.globalTransactionId()).containsExactly(1);
    }

    @Test
    void shouldRefuseWhatIsNone() {
        assertThatThrownBy(() -> new BranchId(-1, new byte[1], new byte[1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("formatId");
        assertThatThrownBy(() -> new BranchId(1, new byte[0], new byte[1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("globalTransactionId");
        assertThatThrownBy(() -> new BranchId(1, new byte[1], new byte[65]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("branchQualifier");
        byte[] whole = new BranchId(1, new byte[3], new byte[3]).encoded();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> BranchId.decode(part)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        assertThatThrownBy(() -> BranchId.decode(longer)).isInstanceOf(IllegalArgumentException.class);
    }
}
