package dev.avocet.server.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins by OpenLDAP, with its password policy. */
@InTurn
class OpenLdapTest {
    private final TestAuthority authority = new TestAuthority("Directory CA");
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

    @TempDir
    private Path folder;

    private OpenLdapServer server;
    private DirectoryProvider provider;
    private Configuration configuration = Configuration.EMPTY;

    @BeforeEach
    void start() throws Exception {
        server = OpenLdapServer.start(folder, authority);
        provider = new DirectoryProvider(folder, new SystemClock(), timer);
    }

    @AfterEach
    void stop() {
        if (provider != null) {
            provider.close();
        }
        if (server != null) {
            server.close();
        }
        timer.shutdownNow();
    }

    @Test
    void shouldLogInByEachKindOfEncryption() throws Exception {
        for (Map<String, Object> each : List.<Map<String, Object>>of(
                Map.of("URL", server.tlsUrl()), Map.of("StartTLS", true), Map.of("Certificate", ""))) {
            configure(each);
            assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers", "staff"));
            assertThat(login("Anna", "pencil")).isEqualTo(accepted("anna", "writers", "staff"));
            assertThat(login("gräfin (o*k)", "brush")).isEqualTo(accepted("gräfin (o*k)"));
            assertThat(login("anna", "wrong")).isEqualTo(new LoginVerdict.Refused(""));
            assertThat(login("nobody", "pencil")).isEqualTo(LoginVerdict.NOT_MINE);
            assertThat(login("a*", "pencil")).isEqualTo(LoginVerdict.NOT_MINE);
        }
    }

    @Test
    void shouldSayInTheLogWhyARightPasswordIsOfNoUse() throws Exception {
        configure(Map.of());

        assertThat(login("old", "rust")).isEqualTo(new LoginVerdict.Refused("the password has expired"));
        assertThat(login("locked", "key")).isEqualTo(new LoginVerdict.Refused("the account is locked"));
        assertThat(login("bare", "anything")).isInstanceOf(LoginVerdict.Refused.class);
        assertThat(login("old", "wrong")).isEqualTo(new LoginVerdict.Refused(""));
    }

    @Test
    void shouldEndALoginWhenThePasswordExpires() throws Exception {
        configure(Map.of());

        assertThat(login("soon", "bread"))
                .isInstanceOfSatisfying(
                        LoginVerdict.Accepted.class,
                        accepted -> assertThat(accepted.until())
                                .isBetween(
                                        Instant.parse("2083-05-18T03:33:10Z"), Instant.parse("2083-05-18T03:34:50Z")));
    }

    @Test
    void shouldBindAsTheUserWithoutAnEntryOfTheBrokersOwn() throws Exception {
        configure(Map.of(
                "SearchUser", false, "UserSuffix", "ou=people,dc=example,dc=com", "BindDN", "", "BindPassword", ""));

        assertThat(login("ANNA", "pencil")).isEqualTo(accepted("anna", "writers", "staff"));
        assertThat(login("gräfin (o*k)", "brush")).isEqualTo(accepted("gräfin (o*k)"));
        assertThat(login("anna", "wrong")).isEqualTo(new LoginVerdict.Refused(""));
        assertThat(login("nobody", "pencil")).isInstanceOf(LoginVerdict.Refused.class);
    }

    @Test
    void shouldGoOnAfterARestart() throws Exception {
        configure(Map.of("EnableCache", false));
        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers", "staff"));

        server.restart();

        assertThat(login("anna", "pencil")).isEqualTo(accepted("anna", "writers", "staff"));
    }

    @Test
    void shouldSayWhatIsMissing() throws Exception {
        configure(Map.of("BindDN", "", "BindPassword", ""));

        assertThat(login("anna", "pencil"))
                .isInstanceOfSatisfying(
                        LoginVerdict.Unavailable.class,
                        away -> assertThat(away.why()).contains("BindDN"));
    }

    private void configure(Map<String, Object> different) throws Exception {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>(Map.of(
                "URL",
                server.url(),
                "BaseDN",
                OpenLdapServer.BASE,
                "BindDN",
                OpenLdapServer.MANAGER,
                "BindPassword",
                "secret",
                "NestedGroupSearch",
                true,
                "Certificate",
                "ca.pem"));
        properties.putAll(different);
        Configuration next = Configuration.EMPTY.changed(
                List.of(ConfigurationChange.put(ObjectTypes.of(LDAP.class).keyOf(""), properties)),
                LiveUse.NONE,
                password -> password);
        provider.configurationChanged(configuration, next);
        configuration = next;
    }

    private LoginVerdict login(String name, String password) throws Exception {
        CompletableFuture<LoginVerdict> answer = new CompletableFuture<>();
        provider.check(
                new LoginQuestion(
                        new Credentials.Password(name, password.getBytes(UTF_8)),
                        new ClientOrigin("test", null, null),
                        true),
                answer::complete);
        return answer.get(20, TimeUnit.SECONDS);
    }

    private static LoginVerdict accepted(String name, String... groups) {
        return new LoginVerdict.Accepted(new ClientIdentity(name, Set.of(groups), null), null);
    }
}
