package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.time.SystemClock;
import dev.avocet.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that practises to take over, in a folder beside its store. */
class TakeoverRehearsalTest {
    @TempDir
    private Path data;

    @Test
    void shouldTakeOverSeveralTimesAndLeaveNothingBehind() {
        String told = rehearsal().run();

        assertThat(told).matches("This node has rehearsed to take over 8 times, in \\[([0-9]+(, )?){8}] ms");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void shouldTakeAwayWhatAnEarlierProcessHasLeft() throws IOException {
        // given
        Path left = Files.createDirectories(data.resolve("rehearsal/store/journal"));
        Files.writeString(left.resolve("half-a-segment"), "x");

        // when
        String told = rehearsal().run();

        // then
        assertThat(told).startsWith("This node has rehearsed");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void shouldNotBeginOnceTheNodeIsActive() {
        // given
        TakeoverRehearsal rehearsal = rehearsal();
        rehearsal.close();

        // when
        String told = rehearsal.run();

        // then
        assertThat(told).isEqualTo("This node has rehearsed to take over 0 times, in [] ms");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void shouldSayWhyItIsGivenUp() throws IOException {
        // given what cannot be deleted to make room
        Files.writeString(data.resolve("rehearsal"), "a file");

        // when
        String told = rehearsal().run();

        // then
        assertThat(told).startsWith("The rehearsal of a takeover was given up, so the first one takes longer: ");
        assertThat(data.resolve("rehearsal")).hasContent("a file");
    }

    private TakeoverRehearsal rehearsal() {
        return new TakeoverRehearsal(new Launch(ServerConfig.defaults(), false, data, null, false), new SystemClock());
    }
}
