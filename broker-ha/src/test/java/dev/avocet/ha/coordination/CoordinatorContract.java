package dev.avocet.ha.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every place for the register promises. */
public abstract class CoordinatorContract {
    /** Of the coordinators; two CPUs that others use as well make it long. */
    protected static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 5;

    private List<Coordinator> clients = List.of();

    /** Starts what keeps the register, and opens clients of different nodes. */
    protected abstract List<Coordinator> open() throws Exception;

    /** The keeper, or the way to it, is gone. */
    protected abstract void cutOff() throws Exception;

    /** It is back, after a restart where there is something to restart. */
    protected abstract void bringBack() throws Exception;

    protected abstract void shutDown() throws Exception;

    @BeforeEach
    void openAll() throws Exception {
        clients = open();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> get(clients.get(0).read()) != null);
    }

    @AfterEach
    void closeAll() throws Exception {
        clients.forEach(Coordinator::close);
        shutDown();
    }

    @Test
    void shouldWriteWhatFollowsAndRefuseWhatDoesNot() throws Exception {
        Register first = Register.NONE.foundedBy("a", "store");
        Register both = first.with("b");

        assertThat(get(clients.get(1).read())).isEqualTo(Register.NONE);
        assertThat(write(0, Register.NONE, first)).isEqualTo(new CasResult.Written(first));
        assertThat(get(clients.get(1).read())).isEqualTo(first);

        // another value than the expected one is there
        assertThat(write(1, Register.NONE, Register.NONE.foundedBy("b", "other")))
                .isEqualTo(new CasResult.Refused(first));
        // a node that is not in sync
        assertThat(write(1, first, first.ledBy("b", new TreeSet<>(Set.of("b")))))
                .isEqualTo(new CasResult.Refused(first));
        assertThat(write(0, first, both)).isEqualTo(new CasResult.Written(both));
        // the same once more, as after an answer that was lost
        assertThat(write(0, first, both)).isEqualTo(new CasResult.Written(both));
        assertThat(get(clients.get(1).read())).isEqualTo(both);

        // a node that is not in sync, by force: as the only one, and with an epoch left out
        Register alone = both.without("b");
        Register forced = alone.forcedBy("b");
        assertThat(write(0, both, alone)).isEqualTo(new CasResult.Written(alone));
        assertThat(write(1, alone, forced.with("a"))).isEqualTo(new CasResult.Refused(alone));
        assertThat(write(1, both, forced)).isEqualTo(new CasResult.Refused(alone));
        assertThat(write(1, alone, forced)).isEqualTo(new CasResult.Written(forced));
    }

    @Test
    void shouldLetOneOfManyWritersWin() throws Exception {
        Register current = Register.NONE.foundedBy("a", "store");
        write(0, Register.NONE, current);

        for (int round = 0; round < ROUNDS; round++) {
            List<CompletionStage<CasResult>> attempts = new ArrayList<>();
            List<Register> values = new ArrayList<>();
            for (int i = 0; i < clients.size() * 2; i++) {
                Register next = current.with("n" + round + "-" + i);
                values.add(next);
                attempts.add(clients.get(i % clients.size()).compareAndSet(current, next));
            }
            int winner = -1;
            int winners = 0;
            for (int i = 0; i < attempts.size(); i++) {
                CasResult result = get(attempts.get(i));
                if (result instanceof CasResult.Written) {
                    winner = i;
                    winners++;
                }
            }
            assertThat(winners).as("round %d", round).isEqualTo(1);
            Register now = get(clients.get(round % clients.size()).read());
            assertThat(now).isEqualTo(values.get(winner));
            current = now.without("n" + round + "-" + winner);
            assertThat(write(0, now, current)).isInstanceOf(CasResult.Written.class);
        }
    }

    @Test
    void shouldTellWhoeverWatchesOfTheNewestValue() throws Exception {
        ConcurrentLinkedQueue<Register> heard = new ConcurrentLinkedQueue<>();
        Register first = Register.NONE.foundedBy("a", "store");
        Register second = first.with("b");
        try (Coordinator.Watch watch = clients.get(1).watch(heard::add)) {
            assertThat(watch).isNotNull();
            write(0, Register.NONE, first);
            await().atMost(PATIENCE).until(() -> heard.contains(first));
            write(0, first, second);
            await().atMost(PATIENCE).until(() -> heard.contains(second));
        }
        write(0, second, second.without("b"));
        await().atMost(PATIENCE).until(() -> get(clients.get(1).read()).revision() == 3);
        assertThat(List.copyOf(heard))
                .isSortedAccordingTo(Comparator.comparingLong(Register::revision))
                .noneMatch(register -> register.revision() > 2);
    }

    @Test
    void shouldFailInTimeWhileThereIsNoKeeperAndKeepWhatWasWritten() throws Exception {
        Register first = Register.NONE.foundedBy("a", "store");
        write(0, Register.NONE, first);

        cutOff();
        CompletionStage<Register> read = clients.get(0).read();
        CompletionStage<CasResult> written = clients.get(1).compareAndSet(first, first.with("b"));
        assertThatThrownBy(() -> get(read))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(CoordinationException.class);
        assertThatThrownBy(() -> get(written))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(CoordinationException.class);

        bringBack();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> get(clients.get(0).read()).revision() > 0);
        // Whatever has become of the attempt: the same again settles it.
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> write(1, first, first.with("b")).equals(new CasResult.Written(first.with("b"))));
        assertThat(get(clients.get(0).read())).isEqualTo(first.with("b"));
    }

    protected final CasResult write(int client, Register expected, Register next) throws Exception {
        return get(clients.get(client).compareAndSet(expected, next));
    }

    protected static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
