package dev.avocet.core.security.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.AuthenticationExchange.Step;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.testkit.ManualLoops;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failed logins make later ones wait. */
class ThrottledAuthenticatorTest {
    private static final String RIGHT = "right";

    private final ManualLoops loops = new ManualLoops(1);
    private final LoginThrottleOptions options = LoginThrottleOptions.DEFAULT;
    private final Authenticator authenticator =
            new ThrottledAuthenticator(new Passwords(), new LoginThrottle(options, loops.clock()));
    private final List<LoginResult> answers = new ArrayList<>();

    @Test
    void shouldLetTheFirstFailuresPassAtOnce() {
        fail("10.0.0.1", "anna", 5);

        assertThat(answers).hasSize(5).containsOnly(LoginResult.BAD_CREDENTIALS);
    }

    @Test
    void shouldPutOffLoginsFromAnAddressThatFailedBefore() {
        // given
        for (int i = 0; i < 5; i++) {
            login("10.0.0.1", "user" + i, "wrong");
        }
        answers.clear();

        // when
        login("10.0.0.1", "somebody", RIGHT);

        // then
        assertThat(answers).isEmpty();
        advance(400);
        assertThat(answers).isEmpty();
        advance(200);
        assertThat(answers).singleElement().isInstanceOf(LoginResult.Granted.class);
        assertThat(loops.io(0).counters().get(Counter.LOGINS_THROTTLED)).isEqualTo(1);
    }

    @Test
    void shouldPutOffLoginsUnderANameThatOthersTried() {
        // given
        for (int i = 0; i < 5; i++) {
            login("10.0.0." + i, "anna", "wrong");
        }
        answers.clear();

        // when
        login("10.0.1.1", "anna", RIGHT);
        login("10.0.1.1", "bert", RIGHT);

        // then
        assertThat(answers).as("bert at once").hasSize(1);
        advance(600);
        assertThat(answers).as("anna, with the right password, later").hasSize(2);
        login("10.0.1.1", "anna", RIGHT);
        assertThat(answers).as("anna has proved herself").hasSize(3);
    }

    @Test
    void shouldTreatOneIpv6NetworkAsOneAddress() {
        for (int i = 0; i < 5; i++) {
            login("2001:db8::" + i, "user" + i, "wrong");
        }
        answers.clear();

        login("2001:db8::ffff", "somebody", RIGHT);
        login("2001:db8:0:1::ffff", "somebody", RIGHT);

        assertThat(answers).hasSize(1);
    }

    @Test
    void shouldWaitLongerTheMoreFailuresThereAre() {
        fail("10.0.0.1", "anna", 28); // two or three of them are forgiven meanwhile
        answers.clear();

        login("10.0.0.1", "bert", RIGHT);
        advance(2_400);
        assertThat(answers).isEmpty();
        advance(200);
        assertThat(answers).hasSize(1);
    }

    @Test
    void shouldForgiveWithTime() {
        fail("10.0.0.1", "anna", 6);
        answers.clear();

        loops.clock().advance(Duration.ofMinutes(2));
        login("10.0.0.1", "anna", RIGHT);

        assertThat(answers).hasSize(1);
    }

    @Test
    void shouldRefuseWhenTooManyOfOneAddressWait() {
        // given
        fail("10.0.0.1", "anna", 5);
        answers.clear();

        // when
        for (int i = 0; i < options.maxWaitingPerAddress() + 3; i++) {
            login("10.0.0.1", "user" + i, RIGHT);
        }

        // then
        assertThat(answers).hasSize(3).containsOnly(new LoginResult.Refused(LoginRefusal.TOO_MANY_FAILURES));
        advance(600);
        assertThat(answers).hasSize(3 + options.maxWaitingPerAddress());
        login("10.0.0.1", "more", RIGHT);
        advance(600);
        assertThat(answers).as("there is room again").hasSize(4 + options.maxWaitingPerAddress());
    }

    @Test
    void shouldForgetWhoFailedLeastLatelyWhenThereAreTooMany() {
        LoginThrottleOptions small = new LoginThrottleOptions(options.steps(), 60_000, 10, 10, 10);
        FailureTable<Integer> table = new FailureTable<>(small, loops.clock());

        for (int i = 0; i < 20; i++) {
            table.add(i);
        }

        assertThat(table.failures(9)).isZero();
        assertThat(table.failures(10)).isEqualTo(1);
    }

    @Test
    void shouldPutOffExchangesToo() {
        // given
        fail("10.0.0.1", "anna", 5);
        List<Step> steps = new ArrayList<>();

        // when
        AuthenticationExchange exchange = authenticator.begin("any", request("10.0.0.1", null, ""), loops.io(0));
        loops.on(0, () -> exchange.step(null, steps::add));

        // then
        assertThat(steps).as("waits for the address").isEmpty();
        advance(600);
        assertThat(steps).as("waits for the name, which is known only now").isEmpty();
        advance(600);
        assertThat(steps).singleElement().isInstanceOf(Step.Success.class);
    }

    private void fail(String address, String userName, int times) {
        for (int i = 0; i < times; i++) {
            login(address, userName, "wrong");
            advance(5_100);
        }
    }

    private void login(String address, @Nullable String userName, String password) {
        loops.on(0, () -> authenticator.authenticate(request(address, userName, password), loops.io(0), answers::add));
    }

    private void advance(long elapsedMs) {
        loops.clock().advance(Duration.ofMillis(elapsedMs));
        loops.on(0, loops.io(0)::tick);
    }

    private static LoginRequest request(String address, @Nullable String userName, String password) {
        try {
            ClientOrigin origin = new ClientOrigin("test", InetAddress.getByName(address), null);
            return new LoginRequest("client", userName, password.getBytes(StandardCharsets.UTF_8), origin);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Knows one password for everybody; an exchange proves at once that it is anna. */
    private static final class Passwords implements Authenticator {
        @Override
        public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
            boolean right = RIGHT.equals(new String(request.password(), StandardCharsets.UTF_8));
            answer.accept(right ? LoginResult.ANONYMOUS : LoginResult.BAD_CREDENTIALS);
        }

        @Override
        public AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
            return (data, answer) -> answer.accept(new Step.Success(new ClientIdentity("anna", Set.of(), null), null));
        }
    }
}
