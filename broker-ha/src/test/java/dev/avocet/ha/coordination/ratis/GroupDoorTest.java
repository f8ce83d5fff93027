package dev.avocet.ha.coordination.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.GroupNames;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.ha.trust.ResumingCaller;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Who is let in to vote where members have certificates. */
@InTurn
final class GroupDoorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ARBITER = "z";

    @TempDir
    private Path disk;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger(GroupDoor.class)).addAppender(log);
    }

    @AfterEach
    void stopListening() {
        ((Logger) LoggerFactory.getLogger(GroupDoor.class)).detachAppender(log);
    }

    @Test
    void shouldHoldTheCertificateOfAResumedSessionAgainstThoseTrustedNow() throws Exception {
        // given
        TestAuthority authority = new TestAuthority("pair");
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        Map<String, String> hosts = new LinkedHashMap<>();
        for (String member : List.of("a", "b", ARBITER)) {
            addresses.put(member, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
            hosts.put(member, addresses.get(member).getHostString());
        }
        Instant end = Instant.ofEpochMilli(new SystemClock().wallTimeMs()).plus(Duration.ofDays(365));
        TestAuthority.Issued own = authority.issue(ARBITER, end);
        Path trust = authority.writeTo(disk.resolve("ca"));
        Credentials credentials = new Credentials(
                PairSecret.NONE,
                new Credentials.Files(
                        own.writeCertificate(disk.resolve("pem")), own.writeKey(disk.resolve("key")), trust));
        int port = addresses.get(ARBITER).getPort();
        try (MemberTls tls = MemberTls.open(credentials, new GroupNames("pair", ARBITER, hosts), new SystemClock());
                GroupMember member = GroupMember.start(
                        new GroupSettings("pair", addresses, ARBITER, Duration.ofSeconds(2), tls),
                        ARBITER,
                        disk.resolve("member"))) {
            ResumingCaller caller = new ResumingCaller(authority, authority.issue("a", end));
            assertThat(caller.shakesHands(port)).isTrue();
            assertThat(caller.shakesHands(port)).isTrue();
            assertThat(caller.shownCertificates()).as("the second was resumed").isEqualTo(1);
            assertThat(hasSaid("shows the certificate of")).isFalse();

            // when another authority is trusted in place of the one that has issued its certificate
            Files.move(
                    new TestAuthority("next").writeTo(disk.resolve("next")),
                    trust,
                    StandardCopyOption.REPLACE_EXISTING);

            // then, as soon as the file is read again, it is refused though it resumes
            await().atMost(PATIENCE).until(() -> {
                boolean unused = caller.shakesHands(port);
                return hasSaid("shows the certificate of 'CN=a,O=Avocet', which nothing in ");
            });
            assertThat(caller.shownCertificates()).isEqualTo(1);
            assertThat(member.leadsGroup()).isFalse();
        }
    }

    private boolean hasSaid(String part) {
        synchronized (log) { // the appender's own lock, which its writers hold
            return log.list.stream().anyMatch(line -> line.getFormattedMessage().contains(part));
        }
    }
}
