package dev.avocet.core.security.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginEnd;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.User;
import dev.avocet.testkit.CheapHasher;
import dev.avocet.testkit.ManualLoops;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Who is asked about a login, and what clients are told of the answer. */
class LoginChainTest {
    private static final ClientOrigin ORIGIN = new ClientOrigin("test", null, "shown");
    private static final LoginVerdict DIRECTORY_USER =
            new LoginVerdict.Accepted(new ClientIdentity("dora", Set.of("staff"), null), Instant.EPOCH);

    private final ManualLoops loops = new ManualLoops(1);
    private final PasswordHasher hasher = CheapHasher.create();
    private final Map<String, User> users =
            Map.of("anna", new User("anna", hasher.hash("pencil".toCharArray()), null, Set.of("writers")));
    private final FakeDirectory directory = new FakeDirectory();
    private final List<SourceNetwork> askedFrom = new ArrayList<>();
    private boolean hasRoom = true;
    private final LocalUsers localUsers = new LocalUsers(users::get, hasher, this::check, new SecureRandom());
    private final LoginChain chain = new LoginChain(List.of(localUsers, directory));
    private final ChainAuthenticator authenticator = new ChainAuthenticator(chain);
    private final List<LoginResult> answers = new ArrayList<>();

    @Test
    void shouldAskTheNextOneOnlyAboutUsersThatAreNotKnownBefore() {
        login("anna", "pencil");
        login("anna", "wrong");
        assertThat(directory.asked).isEmpty();

        login("dora", "anything");

        assertThat(directory.asked).hasSize(1);
        assertThat(answers)
                .containsExactly(
                        new LoginResult.Granted(new ClientIdentity("anna", Set.of("writers"), "shown")),
                        LoginResult.BAD_CREDENTIALS,
                        new LoginResult.Granted(new ClientIdentity("dora", Set.of("staff"), "shown"), Instant.EPOCH));
    }

    @Test
    void shouldTellThoseWhoCheckPasswordsWhereALoginComesFrom() throws Exception {
        // given
        InetAddress address = InetAddress.getByName("192.0.2.1");
        ClientOrigin origin = new ClientOrigin("test", address, null);
        List<LoginVerdict> verdicts = new ArrayList<>();
        Credentials guess = new Credentials.Password("anna", "guess".getBytes(UTF_8));

        // when there is room for it, and when there is none
        chain.check(guess, origin, verdicts::add);
        hasRoom = false;
        chain.check(guess, origin, verdicts::add);

        // then
        assertThat(askedFrom).containsExactly(SourceNetwork.of(address), SourceNetwork.of(address));
        assertThat(verdicts).containsExactly(new LoginVerdict.Refused(""), new LoginVerdict.Unavailable("", true));
    }

    @Test
    void shouldRefuseWhatNoProviderKnows() {
        directory.verdict = LoginVerdict.NOT_MINE;

        login("dora", "anything");

        assertThat(answers).containsExactly(LoginResult.BAD_CREDENTIALS);
    }

    @Test
    void shouldFailClosedWhenAProviderCannotSay() {
        directory.verdict = new LoginVerdict.Unavailable("no answer", false);
        login("dora", "anything");
        directory.verdict = new LoginVerdict.Unavailable("many wait", true);
        login("dora", "anything");

        assertThat(answers)
                .containsExactly(
                        new LoginResult.Refused(LoginRefusal.UNAVAILABLE, "no answer"),
                        new LoginResult.Refused(LoginRefusal.BUSY, "many wait"));
    }

    @Test
    void shouldLeaveOutWhoIsNotActive() {
        directory.active = false;

        login("dora", "anything");

        assertThat(answers).containsExactly(LoginResult.BAD_CREDENTIALS);
        assertThat(directory.asked).isEmpty();
        assertThat(authenticator.needsPassword()).isFalse();
        directory.active = true;
        assertThat(authenticator.needsPassword()).isTrue();
    }

    @Test
    void shouldFindTheGroupsOfAProvedName() {
        identify("anna");
        identify("dora");
        directory.verdict = LoginVerdict.NOT_MINE;
        identify("unknown");
        directory.verdict = new LoginVerdict.Unavailable("no answer", false);
        identify("dora");

        assertThat(answers)
                .containsExactly(
                        new LoginResult.Granted(new ClientIdentity("anna", Set.of("writers"), "shown")),
                        new LoginResult.Granted(new ClientIdentity("dora", Set.of("staff"), "shown"), Instant.EPOCH),
                        new LoginResult.Granted(new ClientIdentity("unknown", Set.of(), "shown")),
                        new LoginResult.Refused(LoginRefusal.UNAVAILABLE, "no answer"));
    }

    @Test
    void shouldAnswerOnTheLoop() {
        directory.later = true;
        login("dora", "anything");
        directory.answers.get(0).accept(DIRECTORY_USER);

        assertThat(answers).as("not where the provider answers").isEmpty();
        loops.settle();
        assertThat(answers).hasSize(1);
    }

    @Test
    void shouldEndALoginWhenItsTimeIsOver() {
        // given
        List<String> ended = new ArrayList<>();
        LoginEnd end = new LoginEnd(loops.io(0), () -> ended.add("ended"));
        Instant now = Instant.ofEpochMilli(loops.clock().wallTimeMs());

        // when: prolonged once
        end.at(now.plusSeconds(5));
        end.at(now.plusSeconds(200));
        advance(199);
        assertThat(ended).isEmpty();
        advance(2);

        // then
        assertThat(ended).containsExactly("ended");
        end.at(now.plusSeconds(300));
        end.stop();
        advance(200);
        assertThat(ended).hasSize(1);
    }

    private void advance(int seconds) {
        for (int i = 0; i < seconds; i++) {
            loops.advance(Duration.ofSeconds(1));
            loops.settle();
        }
    }

    private void check(SourceNetwork from, Runnable login, Runnable refused) {
        askedFrom.add(from);
        (hasRoom ? login : refused).run();
    }

    private void login(String name, String password) {
        authenticator.authenticate(
                new LoginRequest("client", name, password.getBytes(UTF_8), ORIGIN), loops.io(0), answers::add);
    }

    private void identify(String name) {
        authenticator.identify(name, new LoginRequest("client", null, null, ORIGIN), loops.io(0), answers::add);
    }

    private static final class FakeDirectory implements LoginProvider {
        private final List<LoginQuestion> asked = new ArrayList<>();
        private final List<Consumer<LoginVerdict>> answers = new ArrayList<>();
        private LoginVerdict verdict = DIRECTORY_USER;
        private boolean active = true;
        private boolean later;

        @Override
        public boolean isActive() {
            return active;
        }

        @Override
        public boolean needsPassword() {
            return true;
        }

        @Override
        public void check(LoginQuestion question, Consumer<LoginVerdict> answer) {
            asked.add(question);
            if (later) {
                answers.add(answer);
            } else {
                answer.accept(verdict);
            }
        }
    }
}
