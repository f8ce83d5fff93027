package dev.avocet.ha.coordination.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that start on what a killed process has left. */
@InTurn
final class GroupFilesTest {
    @TempDir
    private Path directory;

    private GroupSettings settings;
    private Path files;

    @BeforeEach
    void choosePorts() {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        for (String member : List.of("a", "b", "arbiter")) {
            addresses.put(member, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
        }
        settings = new GroupSettings("pair", addresses, "arbiter", Duration.ofSeconds(5), null);
        files = directory.resolve(settings.group().getGroupId().getUuid().toString());
    }

    @Test
    void shouldStartWhereAProcessWasKilledWhileItLaidItsFilesOut() throws Exception {
        // given each thing that there is before the vote
        for (String begun : List.of("", "sm", "current", "in_use.lock", "current/raft-meta.tmp")) {
            begin(begun);

            // when
            GroupMember.start(settings, "a", directory).close();

            // then
            assertThat(files.resolve("current").resolve("raft-meta")).as(begun).exists();
        }
    }

    @Test
    void shouldGoOnWithItsVote() throws Exception {
        // given
        GroupMember.start(settings, "a", directory).close();
        Path vote = files.resolve("current").resolve("raft-meta");
        Files.writeString(vote, "term=7\nvotedFor=b\n");

        // when
        GroupMember.start(settings, "a", directory).close();

        // then
        assertThat(vote).content().contains("term=7", "votedFor=b");
    }

    @Test
    void shouldNotForgetItsVoteWhereItHasALog() throws Exception {
        // given
        begin("current");
        Path log = Files.writeString(files.resolve("current").resolve("log_inprogress_0"), "RaftLog1");

        // then
        assertThatThrownBy(() -> GroupMember.start(settings, "a", directory))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("NOT_FORMATTED");
        assertThat(log).exists();
    }

    /** Leaves that alone in the group's directory: a file where the name has a dot. */
    private void begin(String begun) throws IOException {
        if (Files.exists(files)) {
            try (Stream<Path> walk = Files.walk(files)) {
                for (Path each : walk.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
        Path left = files.resolve(begun);
        if (begun.contains(".")) {
            Files.createDirectories(left.getParent());
            Files.createFile(left);
        } else {
            Files.createDirectories(left);
        }
    }
}
