package dev.avocet.jms.client.wire.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.options.ConnectionUrl;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom the client follows where, and with which name. */
final class RouteTest {
    @ParameterizedTest
    @CsvSource({
        "avocet://a.example, a.example, true",
        "avocet://a.example, A.Example, true",
        "avocet://a.example, b.example, false",
        "avocet://a.example?redirectHosts=b.example, b.example, true",
        "avocet://a.example?redirectHosts=*.example, b.example, true",
        "avocet://a.example?redirectHosts=*.example, b.example.com, false",
        "avocet://a.example?redirectHosts=*, anything, true",
        "avocets://a.example, b.example, true",
        "avocets://a.example?verifyHost=false, b.example, false"
    })
    void shouldFollowToHostsThatAreKnownOrVerified(final String url, final String host, final boolean followed) {
        final Route route = new Route(ConnectionUrl.parse(url));

        final WireException refused = route.redirected(new Redirect("", host, 5672, "", ""));

        assertThat(refused == null).isEqualTo(followed);
    }

    @Test
    void shouldWaitLongerForSilentHostsInEachRound() {
        final Route route = new Route(ConnectionUrl.parse("avocet:(a.example,b.example)?connectTimeout=9000"));
        assertThat(route.connectMs()).isEqualTo(2_000);
        assertThat(route.loginMs(false)).isEqualTo(9_000);
        assertThat(route.loginMs(true)).isEqualTo(5_000);

        assertThat(route.afterFailure()).isZero();
        assertThat(route.connectMs()).isEqualTo(2_000);

        assertThat(route.afterFailure()).isPositive();
        assertThat(route.connectMs()).isEqualTo(4_000);
        assertThat(route.loginMs(true)).isEqualTo(9_000);

        for (int i = 0; i < 100; i++) {
            assertThat(route.afterFailure()).isNotNegative();
        }
        assertThat(route.connectMs()).isEqualTo(9_000);
    }

    @Test
    void shouldWaitAsLongAsItMayForTheOnlyHost() {
        final Route route = new Route(ConnectionUrl.parse("avocet://a.example?connectTimeout=9000"));

        assertThat(route.connectMs()).isEqualTo(9_000);
        assertThat(route.loginMs(true)).isEqualTo(9_000);
    }

    @Test
    void shouldNotFollowFromPlainToTls() {
        final Route route = new Route(ConnectionUrl.parse("avocet://a.example"));

        assertThat(route.redirected(new Redirect("", "a.example", 5671, "amqps", "")))
                .hasMessageContaining("avocets://");
    }

    @Test
    void shouldHaveTheCertificateNameTheOtherServer() {
        final Route route = new Route(ConnectionUrl.parse("avocets://a.example:5671"));

        assertThat(route.redirected(redirect(Map.of("hostname", "orders.example", "network-host", "10.0.0.7"))))
                .isNull();

        assertThat(route.next().address()).isEqualTo(new Address("10.0.0.7", 5671));
        assertThat(route.next().certified()).isEqualTo(new Address("orders.example", 5671));
        assertThat(route.next().hostname("mine")).isEqualTo("orders.example");
    }

    @Test
    void shouldReadRedirectsOfManyKinds() {
        assertThat(redirect(Map.of("hostname", "b.example", "port", 5673)))
                .isEqualTo(new Redirect("", "b.example", 5673, "", ""));
        assertThat(redirect(Map.of("network-host", "b.example", "port", UnsignedShort.valueOf(50_000))))
                .isEqualTo(new Redirect("", "b.example", 50_000, "", ""));
        assertThat(redirect(Map.of("network-host", "b.example", "port", 70_000)))
                .isNull();
        assertThat(redirect(Map.of("port", 5673))).isNull();
        assertThat(Redirect.of(new ErrorCondition(Symbol.valueOf("amqp:connection:redirect"), "somewhere")))
                .isNull();
    }

    private static Redirect redirect(final Map<String, Object> info) {
        final Map<Symbol, Object> symbols = new HashMap<>();
        info.forEach((key, value) -> symbols.put(Symbol.valueOf(key), value));
        return Redirect.of(new ErrorCondition(Symbol.valueOf("amqp:connection:redirect"), "moved", symbols));
    }
}
