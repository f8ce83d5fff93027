package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.ha.PairStatus;
import dev.avocet.ha.role.Role;
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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
        new PairMeters(report).bindTo(registry);

        // when it is known that the other one is active
        report.told(status(Role.STANDBY_SYNCING, 8, "b", "b"));
        report.told(new PairStatus(Role.STANDBY_IN_SYNC, 8, "b", new TreeSet<>(List.of("a", "b")), 512));

        // then
        assertThat(figure(registry, "active")).isZero();
        assertThat(figure(registry, "epoch")).isEqualTo(8);
        assertThat(figure(registry, "in.sync")).isEqualTo(1);
        assertThat(figure(registry, "nodes.in.sync")).isEqualTo(2);
        assertThat(figure(registry, "lag.bytes")).isEqualTo(512);
        assertThat(registry.get("avocet.pair.role.changes").functionCounter().count())
                .isEqualTo(1);

        // when it is alone
        report.told(new PairStatus(Role.ALONE, 9, "a", new TreeSet<>(List.of("a")), -1));
        assertThat(figure(registry, "active")).isEqualTo(1);
        assertThat(figure(registry, "nodes.in.sync")).isEqualTo(1);
        assertThat(figure(registry, "lag.bytes")).isNaN();
    }

    @Test
    void shouldHaveEveryMetricOfTheAlerts() throws IOException {
        // given
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new PairMeters(report).bindTo(registry);
        String scrape = registry.scrape();

        // when
        String rules = Files.readString(Path.of("../dist/src/main/monitoring/prometheus-alerts.yaml"));
        List<String> names = Pattern.compile("avocet_pair_[a-z_]+")
                .matcher(rules)
                .results()
                .map(MatchResult::group)
                .toList();

        // then
        assertThat(names).hasSizeGreaterThan(3).allMatch(name -> scrape.contains("\n" + name + " "));
    }

    private static double figure(SimpleMeterRegistry registry, String name) {
        return registry.get("avocet.pair." + name).gauge().value();
    }

    private static PairStatus status(Role role, long epoch, String leader, String... inSync) {
        return new PairStatus(role, epoch, leader, new TreeSet<>(List.of(inSync)), 0);
    }
}
