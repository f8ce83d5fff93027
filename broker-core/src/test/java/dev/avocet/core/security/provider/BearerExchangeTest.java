package dev.avocet.core.security.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.AuthenticationExchange.Step;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.testkit.ManualLoops;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exchanges in which a client sends a token. */
class BearerExchangeTest {
    private static final ClientOrigin ORIGIN = new ClientOrigin("test", null, null);
    private static final ClientIdentity ANNA = new ClientIdentity("anna", Set.of("writers"), null);
    private static final Step NO = new Step.Failure(LoginRefusal.BAD_CREDENTIALS, null);

    private final ManualLoops loops = new ManualLoops(1);
    private final List<Step> steps = new ArrayList<>();
    private LoginVerdict elsewise = new LoginVerdict.Refused("wrong");

    private final LoginProvider provider = (question, answer) -> answer.accept(
            question.credentials().equals(new Credentials.Token("good"))
                    ? new LoginVerdict.Accepted(ANNA, Instant.EPOCH)
                    : elsewise);

    @ParameterizedTest
    @ValueSource(
            strings = {"n,,^auth=Bearer good^^", "n,a=anna,^host=h^port=1^auth=bearer  good^^", "y,,^auth=BEARER good^^"
            })
    void shouldLetTheOwnerOfATokenIn(String message) {
        say(BearerExchange.OAUTHBEARER, message);

        assertThat(steps).containsExactly(new Step.Success(ANNA, Instant.EPOCH, null));
    }

    @Test
    void shouldKnowXoauth2AndNoOther() {
        say(BearerExchange.XOAUTH2, "user=whoever^auth=Bearer good^^");

        assertThat(steps).containsExactly(new Step.Success(ANNA, Instant.EPOCH, null));
        assertThat(BearerExchange.of("SCRAM-SHA-256", provider, ORIGIN, loops.io(0)))
                .isNull();
    }

    @Test
    void shouldSayWhyBeforeItRefuses() {
        say(BearerExchange.OAUTHBEARER, "n,,^auth=Bearer bad^^", "^");

        assertThat(steps).hasSize(2).last().isEqualTo(NO);
        assertThat(new String(((Step.Continue) steps.get(0)).serverData(), UTF_8))
                .isEqualTo("{\"status\":\"invalid_token\"}");
    }

    @Test
    void shouldRefuseAtOnceWhatCannotBeCheckedOrRead() {
        say(BearerExchange.OAUTHBEARER, "n,a=bert,^auth=Bearer good^^");
        say(BearerExchange.OAUTHBEARER, "n,,^auth=Basic good^^");
        say(BearerExchange.OAUTHBEARER, "nonsense");
        elsewise = new LoginVerdict.Unavailable("away", false);
        say(BearerExchange.OAUTHBEARER, "n,,^auth=Bearer bad^^");

        assertThat(steps).containsExactly(NO, NO, NO, new Step.Failure(LoginRefusal.UNAVAILABLE, null));
    }

    @Test
    void shouldAskForTheMessageWhereTheClientSendsNone() {
        say(BearerExchange.OAUTHBEARER, null, "n,,^auth=Bearer good^^");

        assertThat(((Step.Continue) steps.get(0)).serverData()).isEmpty();
        assertThat(steps.get(1)).isInstanceOf(Step.Success.class);
    }

    private void say(String method, @Nullable String... messages) {
        AuthenticationExchange exchange =
                Objects.requireNonNull(BearerExchange.of(method, provider, ORIGIN, loops.io(0)));
        for (String message : messages) {
            byte[] data =
                    message == null ? null : message.replace('^', '\u0001').getBytes(UTF_8);
            exchange.step(data, steps::add);
            loops.settle();
        }
    }
}
