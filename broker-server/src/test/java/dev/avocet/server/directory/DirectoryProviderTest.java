package dev.avocet.server.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.TestAuthority;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins of the users of a directory in memory, and what goes wrong with it. */
class DirectoryProviderTest {
    private static final ClientOrigin ORIGIN = new ClientOrigin("test", null, null);

    private final ManualClock clock = new ManualClock();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

    @TempDir
    private Path files;

    private DirectoryProvider provider;
    private TestDirectory directory;
    private Configuration configuration = Configuration.EMPTY;

    @BeforeEach
    void start() throws Exception {
        directory = TestDirectory.start();
        provider = new DirectoryProvider(files, clock, timer);
        configure(Map.of());
    }

    @AfterEach
    void stop() {
        directory.close();
        provider.close();
        timer.shutdownNow();
    }

    @Test
    void shouldTellUserAndGroups() throws Exception {
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
        assertThat(login("bert", "brush")).isEqualTo(accepted("bert"));
    }

    @Test
    void shouldRefuseAWrongPasswordAndNotKnowAnUnknownName() throws Exception {
        assertThat(login("anna", "pen")).isEqualTo(new LoginVerdict.Refused(""));
        assertThat(login("carl", "pencil")).isEqualTo(LoginVerdict.NOT_MINE);
    }

    @Test
    void shouldNeverBindWithAnEmptyPassword() throws Exception {
        int before = directory.binds();

        assertThat(login("anna", "")).isEqualTo(new LoginVerdict.Refused("an empty password"));
        assertThat(directory.binds()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "anna)(uid=*",
                "anna*",
                "*)(objectClass=*",
                "anna\u0000",
                "anna,ou=people,dc=example,dc=com",
                "\\61nna",
                "anna+cn=anna"
            })
    void shouldNotFindAnyoneByANameThatLooksLikeAFilter(String name) throws Exception {
        assertThat(login(name, "pencil")).isEqualTo(LoginVerdict.NOT_MINE);

        configure(Map.of(
                "SearchUser", false, "BaseDN", "dc=example,dc=com", "UserSuffix", "ou=people,dc=example,dc=com"));
        assertThat(login(name, "pencil")).isNotInstanceOf(LoginVerdict.Accepted.class);
    }

    @Test
    void shouldCallTheUserAsTheDirectorySpellsTheName() throws Exception {
        assertThat(login("ANNA", "pencil")).isEqualTo(accepted("anna", "writers"));

        configure(Map.of("IgnoreCase", false));
        assertThat(login("ANNA", "pencil")).isEqualTo(LoginVerdict.NOT_MINE);
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
    }

    @Test
    void shouldBindWithoutASearchWhereTheEntryIsKnown() throws Exception {
        configure(Map.of(
                "SearchUser", false, "UserSuffix", "ou=people,dc=example,dc=com", "BindDN", "", "BindPassword", ""));

        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
        assertThat(login("Anna", "pencil")).isEqualTo(accepted("anna", "writers"));
        assertThat(login("anna", "pen")).isEqualTo(new LoginVerdict.Refused(""));
        assertThat(login("carl", "pencil")).isInstanceOf(LoginVerdict.Refused.class);
    }

    @Test
    void shouldFollowGroupsInGroupsWhereAskedTo() throws Exception {
        configure(Map.of("NestedGroupSearch", true));

        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers", "staff", "everyone"));
    }

    @Test
    void shouldKnowGroupsThatNameTheirMembersByUserName() throws Exception {
        configure(Map.of("GroupMemberIdMap", "posixGroup:memberUid"));

        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "posix"));
    }

    @Test
    void shouldRefuseANameThatTwoEntriesHave() throws Exception {
        directory.add(
                "dn: uid=anna,ou=groups,dc=example,dc=com",
                "objectClass: account",
                "uid: anna",
                "userPassword: pencil");

        assertThat(login("anna", "pencil"))
                .isInstanceOfSatisfying(
                        LoginVerdict.Refused.class,
                        refused -> assertThat(refused.why()).contains("narrow UserSuffix"));

        configure(Map.of("UserIdMap", "inetOrgPerson:uid"));
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
    }

    @Test
    void shouldTellTheGroupsOfANameThatACertificateProves() throws Exception {
        assertThat(ask(new Credentials.Certificate("anna"))).isEqualTo(accepted("anna", "writers"));
        assertThat(ask(new Credentials.Certificate("carl"))).isEqualTo(LoginVerdict.NOT_MINE);
        assertThat(ask(new Credentials.Token("token"))).isEqualTo(LoginVerdict.NOT_MINE);
    }

    @Test
    void shouldRememberALoginForItsTimeAndNoLonger() throws Exception {
        // given
        login("anna", "pencil");
        int asked = directory.binds();

        // when
        directory.setPassword("uid=anna,ou=people,dc=example,dc=com", "eraser");

        // then
        clock.advance(Duration.ofSeconds(9));
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
        assertThat(directory.binds()).isEqualTo(asked);
        clock.advance(Duration.ofSeconds(2));
        assertThat(login("anna", "pencil")).isEqualTo(new LoginVerdict.Refused(""));
        assertThat(login("anna", "eraser")).isEqualTo(accepted("anna", "writers"));
    }

    @Test
    void shouldAskEachTimeWithoutACache() throws Exception {
        configure(Map.of("EnableCache", false));
        login("anna", "pencil");
        directory.setPassword("uid=anna,ou=people,dc=example,dc=com", "eraser");

        assertThat(login("anna", "pencil")).isEqualTo(new LoginVerdict.Refused(""));
    }

    @Test
    void shouldRememberGroupsForTheirTime() throws Exception {
        login("anna", "pencil");
        directory.group("late", "uid=anna,ou=people,dc=example,dc=com");

        clock.advance(Duration.ofSeconds(11));
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
        clock.advance(Duration.ofMinutes(5));
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers", "late"));
    }

    @Test
    void shouldRefuseWhileTheDirectoryIsAwayUnlessToldOtherwise() throws Exception {
        // given
        login("anna", "pencil");
        directory.stop();

        // then: within the time of the cache, and behind it
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
        clock.advance(Duration.ofSeconds(11));
        assertThat(login("anna", "pencil"))
                .isInstanceOfSatisfying(
                        LoginVerdict.Unavailable.class,
                        away -> assertThat(away.why()).contains("no server of the directory answers"));
    }

    @Test
    void shouldLetInWhoWasLetInBeforeWhileTheDirectoryIsAwayWhereAllowed() throws Exception {
        // given
        configure(Map.of("OfflineCacheTimeout", 3_600));
        login("anna", "pencil");
        directory.stop();
        clock.advance(Duration.ofSeconds(11));

        // then
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
        assertThat(login("anna", "pen")).isInstanceOf(LoginVerdict.Unavailable.class);
        assertThat(login("bert", "brush")).isInstanceOf(LoginVerdict.Unavailable.class);
        clock.advance(Duration.ofHours(1));
        assertThat(login("anna", "pencil")).isInstanceOf(LoginVerdict.Unavailable.class);
    }

    @Test
    void shouldGoOnWhenTheDirectoryHasBeenRestarted() throws Exception {
        configure(Map.of("EnableCache", false));
        login("anna", "pencil");

        directory.stop();
        assertThat(login("anna", "pencil")).isInstanceOf(LoginVerdict.Unavailable.class);
        directory.restart();

        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
    }

    @Test
    void shouldGoOnWhenTheDirectoryWasRestartedWhileItWasAsked() throws Exception {
        // given questions that are on their way
        configure(Map.of("EnableCache", false, "Timeout", 60, "MaxConnections", 2));
        login("anna", "pencil");
        int before = directory.searches();
        directory.hold();
        List<CompletableFuture<LoginVerdict>> asked = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            asked.add(asked(password("anna", "pencil")));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> directory.searches() > before);

        // when
        directory.stop();

        // then
        for (CompletableFuture<LoginVerdict> each : asked) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isInstanceOf(LoginVerdict.Unavailable.class);
        }

        // when
        directory.answer();
        directory.restart();

        // then
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
    }

    @Test
    void shouldNotNoticeThatIdleConnectionsWereDropped() throws Exception {
        configure(Map.of("EnableCache", false));
        for (int i = 0; i < 3; i++) {
            assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
            directory.dropConnections();
        }
    }

    @Test
    void shouldAskTheNextServerWhenTheFirstIsDown() throws Exception {
        configure(Map.of("URL", "ldap://127.0.0.1:" + FreePort.next() + " " + directory.url()));

        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
    }

    @Test
    void shouldRefuseInTimeWhileTheDirectoryIsSlowAndStillKnowWhomItKnew() throws Exception {
        // given
        configure(Map.of("Timeout", 4, "MaxConnections", 2));
        login("anna", "pencil");
        directory.hold();

        // when: many more than there are threads
        List<CompletableFuture<LoginVerdict>> waiting = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waiting.add(asked(password("user" + i, "x")));
        }
        LoginVerdict known = login("anna", "pencil");

        // then: who is remembered does not wait for the directory, and all others are answered at one time
        assertThat(known).isEqualTo(accepted("anna", "writers"));
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        for (CompletableFuture<LoginVerdict> each : waiting) {
            assertThat(each.get(20, TimeUnit.SECONDS)).isInstanceOf(LoginVerdict.Unavailable.class);
        }
        directory.answer();
        await().atMost(Duration.ofSeconds(20)).until(() -> login("bert", "brush"), accepted("bert")::equals);
    }

    @Test
    void shouldAskNoMoreThanItsQueueHoldsInAFlood() throws Exception {
        // given
        configure(Map.of("Timeout", 30, "MaxConnections", 4));
        login("anna", "pencil");
        int before = directory.searches();
        directory.hold();

        // when
        List<CompletableFuture<LoginVerdict>> flood = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            flood.add(asked(password("random" + i, "x")));
        }
        long refused = flood.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .filter(new LoginVerdict.Unavailable("1024 logins wait for LDAP already", true)::equals)
                .count();

        // then, as a thread may take its first login when the queue is full already
        assertThat(refused).isBetween(10_000 - 1_024 - 4L, 10_000 - 1_024L);
        assertThat(login("anna", "pencil")).as("who is remembered").isEqualTo(accepted("anna", "writers"));
        directory.answer();
        CompletableFuture.allOf(flood.toArray(CompletableFuture<?>[]::new)).get(30, TimeUnit.SECONDS);
        assertThat(directory.searches() - before).isLessThanOrEqualTo(1_028);
        assertThat(login("bert", "brush")).isEqualTo(accepted("bert"));
    }

    @Test
    void shouldAskForALoginBeforeTheFloodOfAnotherAddressThatCameFirst() throws Exception {
        // given
        configure(Map.of("Timeout", 30, "MaxConnections", 1)); // so they are answered one after the other
        directory.hold();
        AtomicInteger answered = new AtomicInteger();
        List<CompletableFuture<Void>> flood = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            flood.add(asked(password("random" + i, "x"), from("192.0.2.1")).thenRun(answered::incrementAndGet));
        }
        int refused = answered.get();

        // when
        CompletableFuture<Integer> before = asked(password("anna", "pencil"), from("192.0.2.2"))
                .thenApply(verdict -> {
                    assertThat(verdict).isEqualTo(accepted("anna", "writers"));
                    return answered.get() - refused;
                });
        directory.answer();

        // then the one that is asked for and those that were next
        assertThat(before.get(30, TimeUnit.SECONDS)).isLessThan(10);
        CompletableFuture.allOf(flood.toArray(CompletableFuture<?>[]::new)).get(30, TimeUnit.SECONDS);
    }

    @Test
    void shouldEndLoginsAfterTheirLifetimeWhetherTheyWereRememberedOrNot() throws Exception {
        configure(Map.of("LoginLifetime", 60));
        Instant end = Instant.ofEpochMilli(clock.wallTimeMs() + 60_000);

        assertThat(((LoginVerdict.Accepted) login("anna", "pencil")).until()).isEqualTo(end);
        clock.advance(Duration.ofSeconds(5));
        assertThat(((LoginVerdict.Accepted) login("anna", "pencil")).until()).isEqualTo(end.plusSeconds(5));
    }

    @Test
    void shouldEncryptByLdapsAndStartTlsAndCheckTheServer() throws Exception {
        TestAuthority authority = new TestAuthority("Directory CA");
        write("ca.pem", authority);
        write("other.pem", new TestAuthority("Other CA"));
        for (boolean atOnce : new boolean[] {true, false}) {
            try (TestDirectory secured = TestDirectory.start(authority.issue("127.0.0.1"), atOnce)) {
                String url = (atOnce ? "ldaps" : "ldap") + "://127.0.0.1:" + secured.port();
                configure(Map.of("URL", url, "StartTLS", !atOnce, "Certificate", "ca.pem"));
                assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));

                configure(Map.of("URL", url, "StartTLS", !atOnce, "Certificate", "other.pem"));
                assertThat(login("anna", "pencil")).isInstanceOf(LoginVerdict.Unavailable.class);

                configure(Map.of("URL", url, "StartTLS", !atOnce, "CheckServerCert", "PublicTrust"));
                assertThat(login("anna", "pencil")).isInstanceOf(LoginVerdict.Unavailable.class);

                configure(Map.of("URL", url, "StartTLS", !atOnce, "CheckServerCert", "DisableVerify"));
                assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));

                String other = (atOnce ? "ldaps" : "ldap") + "://127.1:" + secured.port();
                configure(Map.of("URL", other, "StartTLS", !atOnce, "Certificate", "ca.pem"));
                assertThat(login("anna", "pencil")).as("another name").isInstanceOf(LoginVerdict.Unavailable.class);
            }
        }
    }

    @Test
    void shouldLetNoUserInWhileItsCertificateFileIsMissing() throws Exception {
        configure(Map.of("StartTLS", true, "Certificate", "nothing.pem"));

        assertThat(provider.isActive()).isTrue();
        assertThat(login("anna", "pencil"))
                .isInstanceOfSatisfying(
                        LoginVerdict.Unavailable.class,
                        away -> assertThat(away.why()).contains("nothing.pem"));
    }

    @Test
    void shouldFollowTheConfiguration() throws Exception {
        configure(Map.of("Enabled", false));
        assertThat(provider.isActive()).isFalse();
        assertThat(login("anna", "pencil")).isEqualTo(LoginVerdict.NOT_MINE);

        configure(Map.of("BindPassword", "wrong"));
        assertThat(login("anna", "pencil"))
                .isInstanceOfSatisfying(
                        LoginVerdict.Unavailable.class,
                        away -> assertThat(away.why()).contains("refuses BindDN with BindPassword"));

        configure(Map.of());
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers"));
    }

    @Test
    void shouldSayStepByStepWhatIsWrong() throws Exception {
        LDAP good = configuration.single(LDAP.class);
        DirectoryTrial trial = new DirectoryTrial(good, files, clock);
        assertThat(trial.tryServers()).allMatch(DirectoryTrial.Step::done).hasSize(4);
        assertThat(trial.tryLogin("anna", "pencil".getBytes(UTF_8)))
                .isEqualTo(new DirectoryTrial.Step("login of 'anna'", true, "user 'anna', groups writers"));
        assertThat(trial.tryLogin("anna", "pen".getBytes(UTF_8)).detail()).isEqualTo("the password is wrong");
        assertThat(trial.tryLogin("carl", "pen".getBytes(UTF_8)).detail()).contains("no entry below");

        assertThat(problem(Map.of("URL", ""))).contains("has no URL");
        assertThat(problem(Map.of("URL", "ldap://127.0.0.1:" + FreePort.next())))
                .contains("no server of the directory");
        assertThat(problem(Map.of("BindPassword", "wrong"))).contains("refuses BindDN with BindPassword");
        assertThat(problem(Map.of("GroupSuffix", "ou=none,dc=example,dc=com"))).contains("correct BaseDN");
        assertThat(problem(Map.of("StartTLS", true, "CheckServerCert", "DisableVerify")))
                .isNotEmpty();
    }

    private String problem(Map<String, Object> different) throws Exception {
        List<DirectoryTrial.Step> steps =
                new DirectoryTrial(wanted(different).single(LDAP.class), files, clock).tryServers();
        return steps.stream()
                .filter(step -> !step.done())
                .findFirst()
                .orElseThrow()
                .detail();
    }

    private Configuration wanted(Map<String, Object> different) throws Exception {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>(Map.of(
                "URL",
                directory.url(),
                "BaseDN",
                TestDirectory.BASE,
                "BindDN",
                TestDirectory.SERVICE,
                "BindPassword",
                "service"));
        properties.putAll(different);
        return Configuration.EMPTY.changed(
                List.of(ConfigurationChange.put(ObjectTypes.of(LDAP.class).keyOf(""), properties)),
                LiveUse.NONE,
                password -> password);
    }

    private void configure(Map<String, Object> different) throws Exception {
        Configuration next = wanted(different);
        provider.configurationChanged(configuration, next);
        configuration = next;
    }

    private void write(String file, TestAuthority authority) throws Exception {
        Path unused = authority.writeTo(files.resolve(file));
    }

    private LoginVerdict login(String name, String password) throws Exception {
        return ask(password(name, password));
    }

    private LoginVerdict ask(Credentials credentials) throws Exception {
        return asked(credentials).get(20, TimeUnit.SECONDS);
    }

    private CompletableFuture<LoginVerdict> asked(Credentials credentials) {
        return asked(credentials, ORIGIN);
    }

    private CompletableFuture<LoginVerdict> asked(Credentials credentials, ClientOrigin origin) {
        CompletableFuture<LoginVerdict> answer = new CompletableFuture<>();
        provider.check(new LoginQuestion(credentials, origin, true), answer::complete);
        return answer;
    }

    private static ClientOrigin from(String address) throws UnknownHostException {
        return new ClientOrigin("test", InetAddress.getByName(address), null);
    }

    private static Credentials password(String name, String password) {
        return new Credentials.Password(name, password.getBytes(UTF_8));
    }

    private static LoginVerdict accepted(String name, String... groups) {
        return new LoginVerdict.Accepted(new ClientIdentity(name, Set.of(groups), null), null);
    }
}
