package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.Lag;
import dev.avocet.ha.PairStatus;
import dev.avocet.ha.role.Role;
import dev.avocet.server.process.StartException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairReportTest {
    private final StringWriter out = new StringWriter();
    private PairReport report;

    @BeforeEach
    void begin() throws StartException {
        PairConfig pair = PairConfig.ofBroker(
                "plant", "a", "a=127.0.0.1:7800,b=127.0.0.2:7810,c=127.0.0.1:7820", null, new PairCredentials());
        report = new PairReport(pair, new Announcement(new PrintWriter(out, true)));
    }

    @Test
    void shouldSayThatItIsActiveWhenClientsCanConnect() throws Exception {
        // given
        report.told(status(Role.STANDBY_SYNCING, 0, ""));
        report.told(status(Role.ACTIVE, 7, "a", "a", "b"));
        assertThat(out.toString().lines()).containsExactly("role standby syncing");
        assertThat(report.health().role()).isEqualTo("becoming active");

        // when
        report.serving(true);

        // then
        report.awaitSettled();
        assertThat(out.toString().lines()).containsExactly("role standby syncing", "role active epoch 7");
        assertThat(report.leads()).isTrue();
        assertThat(report.health().role()).isEqualTo("active");
        assertThat(report.health().inSync()).containsExactly("a", "b");
    }

    @Test
    void shouldSayEachChangeOnce() {
        // when
        report.serving(true);
        report.told(status(Role.ACTIVE, 7, "a", "a", "b"));
        report.told(status(Role.ALONE, 7, "a", "a"));
        report.told(status(Role.ACTIVE, 7, "a", "a", "b"));
        report.serving(false);
        report.told(status(Role.FENCED, 7, "b", "b"));
        report.told(status(Role.STANDBY_SYNCING, 8, "b", "b"));
        report.told(status(Role.STANDBY_IN_SYNC, 8, "b", "a", "b"));

        // then
        assertThat(out.toString().lines())
                .containsExactly(
                        "role active epoch 7", "role fenced epoch 7", "role standby syncing", "role standby in-sync");
    }

    @Test
    void shouldSayWhereTheActiveNodeIs() throws Exception {
        // when
        report.told(status(Role.STANDBY_IN_SYNC, 8, "b", "a", "b"));

        // then
        report.awaitSettled();
        assertThat(report.leads()).isFalse();
        assertThat(report.whyNot())
                .isEqualTo("this node, a, is standby in-sync in the pair 'plant'; the active node is b on 127.0.0.2");
    }

    @Test
    void shouldSayWhyItIsRefused() {
        // when
        report.told(status(Role.REFUSED, 8, "b", "b"));

        // then
        assertThat(out.toString()).startsWith("role refused: ").contains("log");
    }

    @Test
    void shouldTellFiguresAlsoOfAStandby() {
        // given
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new PairMeters(report, new SystemClock()).bindTo(registry);

        // when it is known that the other one is active
        report.told(status(Role.STANDBY_SYNCING, 8, "b", "b"));
        report.told(new PairStatus(
                Role.STANDBY_IN_SYNC, 8, "b", new TreeSet<>(List.of("a", "b")), new Lag(512, -1, -1), false, ""));

        // then
        assertThat(figure(registry, "active")).isZero();
        assertThat(figure(registry, "epoch")).isEqualTo(8);
        assertThat(figure(registry, "in.sync")).isEqualTo(1);
        assertThat(figure(registry, "nodes.in.sync")).isEqualTo(2);
        assertThat(figure(registry, "lag.bytes")).isEqualTo(512);
        assertThat(registry.get("avocet.pair.role.changes").functionCounter().count())
                .isEqualTo(1);

        // when it is alone
        report.told(new PairStatus(Role.ALONE, 9, "a", new TreeSet<>(List.of("a")), Lag.UNKNOWN, false, ""));
        assertThat(figure(registry, "active")).isZero();
        report.serving(true);
        assertThat(figure(registry, "active")).isEqualTo(1);
        assertThat(figure(registry, "nodes.in.sync")).isEqualTo(1);
        assertThat(figure(registry, "lag.bytes")).isNaN();
        assertThat(figure(registry, "disk.full")).isZero();

        // when it is a standby whose disk is full
        report.told(new PairStatus(
                Role.STANDBY_SYNCING, 9, "b", new TreeSet<>(List.of("b")), Lag.UNKNOWN, true, "the disk is full"));
        assertThat(figure(registry, "disk.full")).isEqualTo(1);
        assertThat(report.health().whyNotInSync()).isEqualTo("the disk is full");
    }

    @Test
    void shouldTellHowTheMemberIsNowAndNotOnlyWhatItWasTold() {
        // given
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new PairMeters(report, new SystemClock()).bindTo(registry);
        report.told(status(Role.ACTIVE, 9, "a", "a", "b"));

        // when the lag changes alone, which is not told
        report.ask(() -> new PairStatus(
                Role.ACTIVE, 9, "a", new TreeSet<>(List.of("a", "b")), new Lag(4_096, 12, 250), false, ""));

        // then
        assertThat(report.health().lagBytes()).isEqualTo(4_096);
        assertThat(figure(registry, "lag.bytes")).isEqualTo(4_096);
        assertThat(figure(registry, "lag.records")).isEqualTo(12);
        assertThat(registry.get("avocet.pair.lag").timeGauge().value(TimeUnit.MILLISECONDS))
                .isEqualTo(250);
        assertThat(registry.get("avocet.pair.confirm.latency").functionTimer().count())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus-alerts.yaml", "grafana-avocet.json"})
    void shouldHaveEveryMetricOfTheAlertsAndOfTheDashboard(String file) throws IOException {
        // given
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new PairMeters(report, new SystemClock()).bindTo(registry);
        String scrape = registry.scrape();

        // when
        String rules = Files.readString(Path.of("../dist/src/main/monitoring", file));
        List<String> names = Pattern.compile("avocet_pair_[a-z_]+")
                .matcher(rules)
                .results()
                .map(MatchResult::group)
                .toList();

        // then
        assertThat(names)
                .hasSizeGreaterThan(3)
                .allMatch(name -> scrape.contains("\n" + name + " ") || scrape.contains("\n" + name + "{"));
    }

    private static double figure(SimpleMeterRegistry registry, String name) {
        return registry.get("avocet.pair." + name).gauge().value();
    }

    private static PairStatus status(Role role, long epoch, String leader, String... inSync) {
        return new PairStatus(role, epoch, leader, new TreeSet<>(List.of(inSync)), new Lag(0, 0, 0), false, "");
    }
}
