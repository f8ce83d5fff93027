package dev.avocet.core.store.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Options of references as they lie on disks: what earlier brokers have written is read as what they meant. */
class OptionsFormatTest {
    @Test
    void shouldReadWhatWasWrittenBeforeSubscriptionsHadStandings() throws JournalException {
        assertThat(read("ff")).isNull();
        DeliveryOptions merged = read("050207 0a".replace(" ", ""));
        assertThat(merged.qos()).isEqualTo(QualityOfService.AT_LEAST_ONCE);
        assertThat(merged.retainAsPublished()).isTrue();
        assertThat(merged.subscriptionIdentifiers()).containsExactly(7, 10);
        assertThat(merged.standing()).isNull();
        assertThat(merged.ownWay()).isFalse();
        assertThat(read("12000902e8070103696e7800" + "05"))
                .isEqualTo(DeliveryOptions.of(new Standing(
                        9, 2, 1_000, new DeadLetter(DeadLetter.Cause.TOO_MANY_DELIVERIES, "inx", null, 5))));
    }

    @Test
    void shouldReadTheStandingOfAMessageThatIsDeliveredInTheSubscriptionsOwnWay() throws JournalException {
        assertThat(read("32000400e80700")).isEqualTo(DeliveryOptions.of(null, new Standing(4, 0, 1_000, null)));
    }

    @Test
    void shouldReadWhyTwoMessagesBecameDeadLettersForTheSameReason() throws JournalException {
        String deadLetter = "12000902e8070103696e7800" + "05";
        byte[] bytes = HexFormat.of().parseHex(deadLetter + "120009" + "02e8070103696e7800" + "06" + deadLetter + "ff");
        RecordReader in = new RecordReader().over(bytes, 0, bytes.length);
        OptionsCache cache = new OptionsCache(in, new EntryReader(in, new Formats(List.of())));

        assertThat(cache.read()).isEqualTo(deadLetterAfter(5));
        assertThat(cache.read()).isEqualTo(deadLetterAfter(6));
        assertThat(cache.read()).isEqualTo(deadLetterAfter(5));
        assertThat(cache.read()).isNull();
        assertThat(in.hasMore()).isFalse();
    }

    @Test
    void shouldShareWhatMostSubscriptionsWant() throws JournalException {
        assertThat(read("0100")).isSameAs(DeliveryOptions.plain(QualityOfService.AT_LEAST_ONCE, false));
        assertThat(read("0600")).isSameAs(DeliveryOptions.plain(QualityOfService.EXACTLY_ONCE, true));
        assertThat(read("0800"))
                .isEqualTo(new DeliveryOptions(
                        QualityOfService.AT_MOST_ONCE, false, true, DeliveryOptions.NO_IDENTIFIERS));
        assertThat(DeliveryOptions.plain(QualityOfService.AT_LEAST_ONCE, true))
                .isEqualTo(new DeliveryOptions(
                        QualityOfService.AT_LEAST_ONCE, true, false, DeliveryOptions.NO_IDENTIFIERS));
    }

    private static DeliveryOptions deadLetterAfter(int deliveries) {
        return DeliveryOptions.of(new Standing(
                9, 2, 1_000, new DeadLetter(DeadLetter.Cause.TOO_MANY_DELIVERIES, "inx", null, deliveries)));
    }

    private static @Nullable DeliveryOptions read(String hex) throws JournalException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        RecordReader in = new RecordReader().over(bytes, 0, bytes.length);
        DeliveryOptions options = new EntryReader(in, new Formats(List.of())).options();
        assertThat(in.hasMore()).isFalse();
        return options;
    }
}
