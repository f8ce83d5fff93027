package dev.avocet.core.security.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.User;
import dev.avocet.testkit.CheapHasher;
import dev.avocet.testkit.ManualLoops;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passwords, who they make a client, and certificates before them. */
class UserAuthenticatorTest {
    private static final ClientOrigin PLAIN = new ClientOrigin("test", null, null);
    private static final ClientOrigin CERTIFIED = new ClientOrigin("test", null, "device-7");

    private final ManualLoops loops = new ManualLoops(1);
    private final PasswordHasher hasher = CheapHasher.create();
    private final Map<String, User> users = new HashMap<>();
    private final BoundedWorkers workers = new BoundedWorkers();
    private final UserAuthenticator authenticator =
            new UserAuthenticator(users::get, hasher, workers, new SecureRandom());
    private final List<LoginResult> answers = new ArrayList<>();

    @BeforeEach
    void addUsers() {
        put("anna", "pencil", Set.of("writers"));
        put("device-7", "secret", Set.of("devices"));
    }

    @Test
    void shouldTellUserAndGroups() {
        login("anna", "pencil", PLAIN);
        workers.runAll();
        loops.settle();

        assertThat(answers)
                .containsExactly(new LoginResult.Granted(new ClientIdentity("anna", Set.of("writers"), null)));
    }

    @Test
    void shouldCheckOnTheWorkersAndAnswerOnTheLoop() {
        login("anna", "pencil", PLAIN);

        assertThat(answers).isEmpty();
        workers.runAll();
        assertThat(answers).as("not on the worker").isEmpty();
        loops.settle();
        assertThat(answers).hasSize(1);
    }

    @Test
    void shouldRefuseWrongPasswordsAndUnknownNamesAlike() {
        login("anna", "pen", PLAIN);
        login("nobody", "pencil", PLAIN);
        workers.runAll();
        loops.settle();

        assertThat(answers).containsExactly(LoginResult.BAD_CREDENTIALS, LoginResult.BAD_CREDENTIALS);
    }

    @Test
    void shouldKnowAPasswordAgainWithoutTheWorkers() {
        login("anna", "pencil", PLAIN);
        workers.runAll();
        loops.settle();

        login("anna", "pencil", PLAIN);
        assertThat(answers).hasSize(2);

        login("anna", "pen", PLAIN);
        assertThat(answers).as("another password is not known").hasSize(2);
    }

    @Test
    void shouldForgetAPasswordThatWasChanged() {
        login("anna", "pencil", PLAIN);
        workers.runAll();
        loops.settle();
        answers.clear();

        put("anna", "other", Set.of("writers"));
        login("anna", "pencil", PLAIN);
        workers.runAll();
        loops.settle();

        assertThat(answers).containsExactly(LoginResult.BAD_CREDENTIALS);
    }

    @Test
    void shouldSayThatItIsBusyWhenTooManyWait() {
        workers.capacity = 1;
        login("anna", "pencil", PLAIN);
        login("anna", "pencil", PLAIN);

        assertThat(answers).containsExactly(new LoginResult.Refused(LoginRefusal.BUSY));
    }

    @Test
    void shouldTakeTheCommonNameForTheUserName() {
        Authenticator byName = certificates(true, false, true);

        login(byName, "anna", "secret", CERTIFIED);
        login(byName, null, "secret", CERTIFIED);
        login(byName, "anna", "pencil", CERTIFIED);
        workers.runAll();
        loops.settle();

        LoginResult device = new LoginResult.Granted(new ClientIdentity("device-7", Set.of("devices"), "device-7"));
        assertThat(answers).containsExactly(device, device, LoginResult.BAD_CREDENTIALS);
    }

    @Test
    void shouldLetACertificateStandForThePassword() {
        login(certificates(true, false, false), "anna", null, CERTIFIED);
        login(certificates(false, false, false), "anna", null, CERTIFIED);

        assertThat(answers)
                .containsExactly(
                        new LoginResult.Granted(new ClientIdentity("device-7", Set.of("devices"), "device-7")),
                        new LoginResult.Granted(new ClientIdentity(null, Set.of(), "device-7")));
    }

    @Test
    void shouldHoldTheClientIdentifierAgainstTheCommonName() {
        Authenticator strict = certificates(false, true, false);

        login(strict, null, null, CERTIFIED);
        login(strict, null, null, PLAIN);

        LoginResult wrong = new LoginResult.Refused(LoginRefusal.WRONG_CERTIFICATE);
        assertThat(answers).as("the client identifier is 'client'").containsExactly(wrong, wrong);
    }

    @Test
    void shouldShowNoPassword() {
        assertThat(new LoginRequest("client", "anna", "pencil".getBytes(StandardCharsets.UTF_8), PLAIN).toString())
                .doesNotContain("pencil")
                .doesNotContain("[B");
    }

    private Authenticator certificates(boolean userName, boolean clientId, boolean passwords) {
        return new CertificateAuthenticator(
                new CertificateUse(userName, clientId, passwords), users::get, authenticator);
    }

    private void login(String userName, String password, ClientOrigin origin) {
        login(authenticator, userName, password, origin);
    }

    private void login(Authenticator asked, @Nullable String userName, @Nullable String password, ClientOrigin origin) {
        byte[] bytes = password == null ? null : password.getBytes(StandardCharsets.UTF_8);
        asked.authenticate(new LoginRequest("client", userName, bytes, origin), loops.io(0), answers::add);
    }

    private void put(String name, String password, Set<String> groups) {
        users.put(name, new User(name, hasher.hash(password.toCharArray()), null, groups));
    }

    /** Workers that work when they are told. */
    private static final class BoundedWorkers implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private int capacity = 100;

        @Override
        public void execute(Runnable task) {
            if (tasks.size() >= capacity) {
                throw new RejectedExecutionException();
            }
            tasks.add(task);
        }

        void runAll() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }
    }
}
