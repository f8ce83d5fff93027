package dev.avocet.server.rest.login;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.console.Sessions;
import dev.avocet.server.rest.RestBroker;
import dev.avocet.testkit.ManualClock;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of the console, as its scripts and those of other sites ask for them. */
class SessionRequestsTest {
    private static final String SESSION = "/api/v1/service/session";
    private static final String QUEUES = "/api/v1/configuration/Queue";
    private static final String[] CONSOLE = {"X-Avocet-Console", "user"};
    private static final String[] BY_ITSELF = {"X-Avocet-Console", "background"};

    @TempDir
    private Path data;

    private final ManualClock clock = new ManualClock();
    private RestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, "{}", clock);
        broker.configure("{\"AdminUserPassword\": \"pencil\"}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldLetTheCookieOfASessionStandForThePassword() throws Exception {
        // when
        HttpResponse<String> begun = logIn("admin:pencil");
        String cookie = begun.headers().firstValue("Set-Cookie").orElseThrow();

        // then
        assertThat(begun.statusCode()).isEqualTo(200);
        assertThat(cookie).matches("avocet-\\d+=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict");
        assertThat(RestBroker.json(begun)).containsEntry("User", "admin").containsEntry("Session", true);
        assertThat(get(QUEUES, begun, CONSOLE).statusCode()).isEqualTo(200);
        Map<String, Object> who = RestBroker.json(get(SESSION, begun, CONSOLE));
        assertThat(who).containsEntry("User", "admin").containsEntry("Session", true);
        assertThat(who.get("Authorities")).asString().contains("Configure", "View", "Monitor", "Manage");
        assertThat(broker.adminLog()).anyMatch(line -> line.equals("'admin' from 127.0.0.1 logged in at the console"));
    }

    @Test
    void shouldBeginNoSessionForAWrongPassword() throws Exception {
        // when
        HttpResponse<String> refused = logIn("admin:pen");

        // then
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(refused.headers().firstValue("WWW-Authenticate")).isEmpty();
        assertThat(refused.body()).contains("the user name or the password is wrong");
        assertThat(broker.adminLog()).anyMatch(line -> line.contains("was refused POST " + SESSION));
    }

    @Test
    void shouldTakeACookieFromItsOwnScriptsAlone() throws Exception {
        // given
        HttpResponse<String> begun = logIn("admin:pencil");
        String here = broker.url();

        // then: no script of another site can add the header
        assertThat(get(QUEUES, begun).statusCode()).isEqualTo(403);
        assertThat(put(begun).statusCode()).isEqualTo(403);

        // and: where one could, the browser says which site it is
        assertThat(put(begun, with(CONSOLE, "Origin", "http://evil.example")).statusCode())
                .isEqualTo(403);
        assertThat(get(QUEUES, begun, with(CONSOLE, "Origin", "http://evil.example"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(get(QUEUES, begun, with(CONSOLE, "Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(get(QUEUES, begun, with(CONSOLE, "Sec-Fetch-Site", "same-site"))
                        .statusCode())
                .isEqualTo(403);

        // and
        assertThat(put(begun, with(CONSOLE, "Origin", here, "Sec-Fetch-Site", "same-origin"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldLetNoOtherSiteLogItsVisitorsIn() throws Exception {
        assertThat(broker.send("POST", SESSION, null, "Authorization", basic("admin:pencil"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(broker.send(
                                "POST",
                                SESSION,
                                null,
                                with(CONSOLE, "Authorization", basic("admin:pencil"), "Origin", "http://evil.example"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void shouldEndASessionInWhichNothingIsDone() throws Exception {
        // given
        HttpResponse<String> begun = logIn("admin:pencil");

        // when: the page goes on looking
        clock.advance(Sessions.LONGEST_IDLE.minusSeconds(1));
        assertThat(get(QUEUES, begun, BY_ITSELF).statusCode()).isEqualTo(200);
        clock.advance(Duration.ofSeconds(1));

        // then
        HttpResponse<String> late = get(QUEUES, begun, BY_ITSELF);
        assertThat(late.statusCode()).isEqualTo(401);
        assertThat(late.headers().firstValue("WWW-Authenticate")).isEmpty();
    }

    @Test
    void shouldEndASessionAfterItsLongestTimeWhateverIsDone() throws Exception {
        // given
        HttpResponse<String> begun = logIn("admin:pencil");
        Duration step = Sessions.LONGEST_IDLE.dividedBy(2);

        // when
        for (long i = Sessions.LONGEST.dividedBy(step) - 1; i > 0; i--) {
            clock.advance(step);
            assertThat(get(QUEUES, begun, CONSOLE).statusCode()).isEqualTo(200);
        }
        clock.advance(step);

        // then
        assertThat(get(QUEUES, begun, CONSOLE).statusCode()).isEqualTo(401);
    }

    @Test
    void shouldLogOut() throws Exception {
        // given
        HttpResponse<String> here = logIn("admin:pencil");
        HttpResponse<String> elsewhere = logIn("admin:pencil");

        // when
        HttpResponse<String> left = send("DELETE", SESSION, here, null, CONSOLE);

        // then
        assertThat(left.statusCode()).isEqualTo(200);
        assertThat(left.headers().firstValue("Set-Cookie").orElseThrow()).contains("=; ", "Max-Age=0");
        assertThat(get(QUEUES, here, CONSOLE).statusCode()).isEqualTo(401);
        assertThat(get(QUEUES, elsewhere, CONSOLE).statusCode()).isEqualTo(200);
        assertThat(broker.adminLog()).anyMatch(line -> line.endsWith("logged out at the console"));
    }

    @Test
    void shouldLogOutEverywhere() throws Exception {
        // given
        HttpResponse<String> here = logIn("admin:pencil");
        HttpResponse<String> elsewhere = logIn("admin:pencil");

        // when
        send("DELETE", SESSION + "?Everywhere=true", here, null, CONSOLE);

        // then
        assertThat(get(QUEUES, here, CONSOLE).statusCode()).isEqualTo(401);
        assertThat(get(QUEUES, elsewhere, CONSOLE).statusCode()).isEqualTo(401);
        assertThat(broker.adminLog())
                .anyMatch(line -> line.endsWith("logged out at the console everywhere, which ended 2 sessions"));
    }

    @Test
    void shouldEndSessionsWithThePasswordThatTheyStandOn() throws Exception {
        // given
        HttpResponse<String> begun = logIn("admin:pencil");

        // when
        send("POST", "/api/v1/configuration", begun, "{\"AdminUserPassword\": \"crayon\"}", CONSOLE);

        // then
        assertThat(get(QUEUES, begun, CONSOLE).statusCode()).isEqualTo(401);
        assertThat(logIn("admin:crayon").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldAskNothingOfUsersOfThisMachineWhileThereIsNoPassword() throws Exception {
        // given
        HttpResponse<String> begun = logIn("admin:pencil");
        send("POST", "/api/v1/configuration", begun, "{\"AdminUserPassword\": \"\"}", CONSOLE);

        // when
        HttpResponse<String> who = broker.send("GET", SESSION, null, CONSOLE);

        // then
        assertThat(RestBroker.json(who)).containsEntry("User", "").containsEntry("Session", false);
    }

    private HttpResponse<String> logIn(String user) throws Exception {
        return broker.send("POST", SESSION, null, with(CONSOLE, "Authorization", basic(user)));
    }

    private HttpResponse<String> get(String path, HttpResponse<String> begun, String... headers) throws Exception {
        return send("GET", path, begun, null, headers);
    }

    private HttpResponse<String> put(HttpResponse<String> begun, String... headers) throws Exception {
        return send("PUT", QUEUES + "/orders", begun, "{\"MaxMessages\": 7}", headers);
    }

    private HttpResponse<String> send(
            String method, String path, HttpResponse<String> begun, @Nullable String body, String... headers)
            throws Exception {
        String cookie = begun.headers().firstValue("Set-Cookie").orElseThrow();
        return broker.send(method, path, body, with(headers, "Cookie", cookie.substring(0, cookie.indexOf(';'))));
    }

    private static String[] with(String[] headers, String... more) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8));
    }
}
