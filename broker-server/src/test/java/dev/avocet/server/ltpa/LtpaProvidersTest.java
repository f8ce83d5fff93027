package dev.avocet.server.ltpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.provider.LoginChain;
import dev.avocet.testkit.LtpaIssuer;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins with LTPA tokens while others flood the broker, or those who are asked for groups are slow. */
class LtpaProvidersTest {
    private static final ClientOrigin ORIGIN = new ClientOrigin("test", null, null);
    private static final int FLOOD = 10_000;

    private final LtpaIssuer issuer = LtpaIssuer.create();
    private final ManualClock clock = new ManualClock();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final AtomicInteger askedForGroups = new AtomicInteger();
    private final List<Consumer<LoginVerdict>> held = new CopyOnWriteArrayList<>();

    @TempDir
    private Path files;

    private LtpaProviders providers;

    @BeforeEach
    void start() throws Exception {
        Files.writeString(files.resolve("ltpa.keys"), issuer.keyFile("WebAS"));
        providers = new LtpaProviders(files, false, clock, timer);
        providers.configurationChanged(
                Configuration.EMPTY,
                Configuration.EMPTY.changed(
                        List.of(ConfigurationChange.put(
                                ObjectTypes.of(LTPAProfile.class).keyOf("l"),
                                Map.of("KeyFileName", "ltpa.keys", "Password", "WebAS"))),
                        LiveUse.NONE,
                        password -> password));
    }

    @AfterEach
    void stop() {
        providers.close();
        timer.shutdownNow();
    }

    @Test
    void shouldNeitherReadKeysNorAskForGroupsInAFlood() throws Exception {
        // given: a token that nothing is known of but by the keys that were read
        LoginProvider provider = provider((name, answer) -> answer.accept(LoginVerdict.NOT_MINE));
        Files.delete(files.resolve("ltpa.keys"));
        Random random = new Random(7);

        // when
        List<CompletableFuture<LoginVerdict>> flood = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            byte[] nonsense = new byte[256];
            random.nextBytes(nonsense);
            flood.add(ask(provider, Base64.getEncoder().encodeToString(nonsense)));
        }

        // then each one is answered, and none of them asks a third one
        for (CompletableFuture<LoginVerdict> each : flood) {
            assertThat(each.get(30, TimeUnit.SECONDS))
                    .isInstanceOfAny(LoginVerdict.Refused.class, LoginVerdict.Unavailable.class);
        }
        assertThat(askedForGroups).hasValue(0);
        assertThat(ask(provider, token("anna")).get(30, TimeUnit.SECONDS)).isInstanceOf(LoginVerdict.Accepted.class);
        assertThat(askedForGroups).hasValue(1);
    }

    @Test
    void shouldGoOnForOthersWhileThoseWhoAreAskedForGroupsAreSilent() throws Exception {
        // given: no answer about bert
        LoginProvider provider = provider((name, answer) -> {
            if (name.equals("bert")) {
                held.add(answer);
            } else {
                answer.accept(LoginVerdict.NOT_MINE);
            }
        });

        // when: more than there are threads, and than may wait
        List<CompletableFuture<LoginVerdict>> waiting = new ArrayList<>();
        String bert = token("bert");
        for (int i = 0; i < 10; i++) {
            waiting.add(ask(provider, bert));
        }

        // then
        assertThat(ask(provider, token("anna")).get(30, TimeUnit.SECONDS)).isInstanceOf(LoginVerdict.Accepted.class);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        LoginVerdict away = new LoginVerdict.Unavailable("the directory is away", false);
        await().until(() -> held.size() == waiting.size());
        held.forEach(answer -> answer.accept(away));
        for (CompletableFuture<LoginVerdict> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).as("fails closed").isEqualTo(away);
        }
    }

    private String token(String user) {
        return issuer.token2(
                "uid=" + user + ",o=acme",
                clock.wallTimeMs() + Duration.ofHours(1).toMillis());
    }

    private LoginProvider provider(Groups groups) {
        LoginProvider known = new LoginProvider() {
            @Override
            public boolean needsPassword() {
                return false;
            }

            @Override
            public void check(LoginQuestion question, Consumer<LoginVerdict> answer) {
                askedForGroups.incrementAndGet();
                groups.ask(((Credentials.Certificate) question.credentials()).userName(), answer);
            }
        };
        return providers.provider("l", new LoginChain(List.of(known)));
    }

    private static CompletableFuture<LoginVerdict> ask(LoginProvider provider, String token) {
        CompletableFuture<LoginVerdict> answer = new CompletableFuture<>();
        provider.check(new LoginQuestion(new Credentials.Token(token), ORIGIN, true), answer::complete);
        return answer;
    }

    /** Those who know the groups of users. */
    @FunctionalInterface
    private interface Groups {
        void ask(String name, Consumer<LoginVerdict> answer);
    }
}
