package dev.avocet.ha.coordination.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.CoordinatorContract;
import dev.avocet.ha.coordination.Register;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileCoordinatorTest extends CoordinatorContract {
    @TempDir
    private Path disk;

    @Override
    protected List<Coordinator> open() throws Exception {
        return List.of(
                FileCoordinator.open(shared(), TIMEOUT),
                FileCoordinator.open(shared(), TIMEOUT),
                FileCoordinator.open(shared(), TIMEOUT));
    }

    @Override
    protected void cutOff() throws Exception {
        Files.move(shared(), disk.resolve("elsewhere"));
    }

    @Override
    protected void bringBack() throws Exception {
        Files.move(disk.resolve("elsewhere"), shared());
    }

    @Override
    protected void shutDown() {
        // there is no keeper but the disk
    }

    @Test
    void shouldFenceAWriterThatHasLostTheLockUnknowingly() throws Exception {
        // given a writer that has read the register, and is paused before it writes
        Register first = Register.NONE.foundedBy("a", "store");
        write(0, Register.NONE, first);
        RegisterFiles stale = new RegisterFiles(shared());
        Register believed = stale.newest();

        // when others go on meanwhile
        Register now = first.with("b");
        write(1, first, now);

        // then its write comes to nothing
        assertThat(stale.write(believed.with("c"))).isFalse();
        assertThat(stale.newest()).isEqualTo(now);
    }

    @Test
    void shouldFenceAWriterThatWasAwayForManyRevisions() throws Exception {
        Register register = Register.NONE.foundedBy("a", "store");
        write(0, Register.NONE, register);
        RegisterFiles stale = new RegisterFiles(shared());
        Register late = register.with("c");
        for (int i = 0; i < 10; i++) {
            Register next = register.isInSync("b") ? register.without("b") : register.with("b");
            write(0, register, next);
            register = next;
        }

        assertThat(stale.write(late)).isFalse();
        assertThat(stale.newest()).isEqualTo(register);
        try (Stream<Path> files = Files.list(shared())) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("draft")))
                    .isEmpty();
        }
    }

    private Path shared() {
        return disk.resolve("shared");
    }
}
