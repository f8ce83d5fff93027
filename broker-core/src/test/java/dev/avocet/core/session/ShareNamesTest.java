package dev.avocet.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareNamesTest {
    @Test
    void shouldSayWhoOwnsASubscriptionAndWhatItIsCalled() {
        assertThat(ShareNames.idOf(ShareNames.mixed("team", "a/#"))).hasToString("__SharedM /team/a/#");
        assertThat(ShareNames.idOf(ShareNames.durable("team"))).hasToString("__Shared team");
        assertThat(ShareNames.idOf(ShareNames.notDurable("team"))).hasToString("__SharedND team");
        assertThat(ShareNames.idOf(ShareNames.notDurable("x (durable)"))).hasToString("__SharedND x (durable)");
        assertThat(ShareNames.idOf(ShareNames.ofClient("jms:c", "n", true))).hasToString("jms:c n");
        assertThat(ShareNames.idOf(ShareNames.sharedWhileConsumed("jms:c", "n")))
                .hasToString("jms:c n (not durable)");
        assertThat(ShareNames.idOf(ShareNames.ofConsumer("jms:c#7", "link", 12)))
                .hasToString("jms:c#7 link");
    }

    @ParameterizedTest
    @CsvSource({"jms:a/b, c", "jms:a, b/c", "jms:5/x, 5/x", "'', ''"})
    void shouldTellOwnersAndNamesApartWhateverIsInThem(String owner, String name) {
        assertThat(ShareNames.idOf(ShareNames.ofClient(owner, name, false))).isEqualTo(new SubscriptionId(owner, name));
        assertThat(ShareNames.idOf(ShareNames.ofConsumer(owner, name, 1))).isEqualTo(new SubscriptionId(owner, name));
    }

    @Test
    void shouldKnowWhichAreShared() {
        assertThat(ShareNames.isShared(ShareNames.durable("n"))).isTrue();
        assertThat(ShareNames.isShared(ShareNames.ofClient("c", "n", true))).isTrue();
        assertThat(ShareNames.isShared(ShareNames.sharedWhileConsumed("c", "n")))
                .isTrue();
        assertThat(ShareNames.isShared(ShareNames.ofClient("c", "n", false))).isFalse();
        assertThat(ShareNames.isShared(ShareNames.ofConsumer("c", "n", 1))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "__jms/|n, jms//n (durable), $SharedSubscription/n (durable)",
        "__jms/|x/n, jms//x/n (durable), $SharedSubscription/x/n (durable)",
        "__jms//x|n, jms//x/n (durable), jms/own/6/jms:/x/n",
        "__jms/||n, jms/|/n (durable), jms/own/5/jms:|/n",
        "__jms/a|b|c, jms/a|b/c (durable), jms/own/7/jms:a|b/c"
    })
    void shouldBringFormerNamesUpToDate(String sessionId, String group, String now) {
        assertThat(FormerShareNames.now(sessionId, "own t\n", group)).isEqualTo(now);
    }

    @ParameterizedTest
    @CsvSource({
        "member, $SharedSubscription/n (durable)",
        "__jms/|n, $SharedSubscription/n (durable)",
        "__jms/c|n, jms/own/5/jms:c/n",
        "__jms/c|n, jms/c/m (durable)"
    })
    void shouldLeavePresentNamesAsTheyAre(String sessionId, String group) {
        assertThat(FormerShareNames.now(sessionId, "own t\n", group)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"shared , n > 1, n > 1", "shared noLocal , n > 1, n > 1", "shared , '', ''", "own , n > 1, ''"})
    void shouldFindTheSelectorOfAFormerSubscription(String kind, String selector, String found) {
        String key = kind.stripTrailing() + ' ' + "a/#\n" + selector;
        assertThat(FormerShareNames.selectorIn(key, "a/#")).isEqualTo(found);
    }
}
