package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wall clocks of a pair's processes jump by an hour, to and fro, one after the other: no role changes, and nothing
 * is lost. It is left out, and says so, where there is no C compiler.
 */
@Tag("fault")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ClockJumpTest {
    private static final List<String> MEMBERS = List.of("a", "b", PairUnderTest.ARBITER);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern SERVER_TIME = Pattern.compile("\"ServerTime\" : \"([^\"]*)\"");

    @TempDir
    private Path folder;

    private final Map<String, MovedClock> clocks = new HashMap<>();

    @Test
    void shouldKeepItsRolesAndLoseNothingWhenClocksJump() throws Exception {
        Path library = MovedClock.library(folder);
        try (FaultyPair pair = new FaultyPair(folder, false, false);
                PairLoad load = new PairLoad(pair)) {
            // given
            for (String member : MEMBERS) {
                clocks.put(member, new MovedClock(library, folder.resolve("clock-" + member)));
                pair.keepTimeBy(member, clocks.get(member));
            }
            pair.start();
            load.start();
            String active = pair.awaitActive();
            int epoch = pair.epoch();
            List<String> order = new ArrayList<>(List.of(active, PairUnderTest.other(active), PairUnderTest.ARBITER));

            // when
            for (String member : order) {
                for (Duration by : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
                    clocks.get(member).move(by);
                    if (!member.equals(PairUnderTest.ARBITER)) {
                        awaitTimeOf(pair, member, by);
                    }
                    load.awaitMore();

                    // then
                    assertThat(pair.health(active))
                            .as("%s moved by %s", member, by)
                            .contains("\"role\":\"active\",\"epoch\":" + epoch, "\"inSync\":[\"a\",\"b\"]");
                }
            }

            // and at the end all was there, once
            load.settle();
            assertThat(pair.epoch()).isEqualTo(epoch);
            System.out.println("clocks of " + order + " moved by +-" + HOUR + ": " + load.summary());
        }
    }

    /** Returns when the process has noticed. */
    private static void awaitTimeOf(FaultyPair pair, String node, Duration by) {
        await(node + " at another time").atMost(PATIENCE).untilAsserted(() -> {
            Duration ahead = Duration.between(Instant.now(), serverTime(pair, node));
            assertThat(ahead.minus(by).abs()).isLessThan(Duration.ofMinutes(1));
        });
    }

    private static Instant serverTime(FaultyPair pair, String node) throws IOException, InterruptedException {
        Matcher time = SERVER_TIME.matcher(pair.of(node).httpGet("/api/v1/service/status"));
        assertThat(time.find()).isTrue();
        return Instant.parse(time.group(1));
    }
}
