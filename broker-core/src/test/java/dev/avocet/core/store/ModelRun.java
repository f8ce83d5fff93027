package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/** One play of {@link StoreModelTest}: the lives of one broker, and its follower. */
final class ModelRun {
    private static final int STEPS_PER_COMPARISON = 150;
    private static final int STEPS_PER_CRASH = 1_200;
    private static final int STEPS_PER_PASS = 120;
    private static final int STEPS_PER_CHECKPOINT = 400;
    private static final int SHOWN = 6_000;

    private final Path directory;
    private final long seed;
    private final ModelMistake mistake;
    private final Random chance;
    private final ManualClock clock = new ManualClock();
    private final FaultyStorage storage = new FaultyStorage();
    private final StringBuilder schedule = new StringBuilder();
    private final ModelFollower follower;
    private boolean hasRestarted;
    private ModelBroker life;
    private ModelPlay play;

    ModelRun(Path directory, long seed, ModelMistake mistake) throws Exception {
        this.directory = directory;
        this.seed = seed;
        this.mistake = mistake;
        chance = new Random(seed);
        follower = new ModelFollower(directory, clock, mistake.unheard);
        begin();
    }

    String schedule() {
        return schedule.toString();
    }

    /** What there is in the end. */
    String text() {
        life.settle();
        return ModelText.of(life);
    }

    void play(int steps) {
        try {
            for (int i = 0; i < steps; i++) {
                step();
            }
            compare();
        } catch (Exception | AssertionError e) {
            String last = schedule.substring(Math.max(0, schedule.length() - SHOWN));
            throw new AssertionError("seed " + seed + ", mistake " + mistake + "\n" + e + "\nafter\n" + last, e);
        }
    }

    private void step() throws Exception {
        play.step();
        if (chance.nextInt(STEPS_PER_COMPARISON) == 0) {
            compare();
        }
        if (chance.nextInt(STEPS_PER_PASS) == 0) {
            schedule.append("the store looks after its segments\n");
            follower.feed(storage);
            life.reclaim(this::someSteps);
        }
        if (chance.nextInt(STEPS_PER_CHECKPOINT) == 0) {
            schedule.append("checkpoint\n");
            life.checkpoint(this::someSteps);
        }
        if (chance.nextInt(STEPS_PER_CRASH) == 0) {
            crash();
        }
    }

    private void someSteps() {
        for (int i = chance.nextInt(6); i > 0; i--) {
            play.step();
        }
    }

    private void begin() throws Exception {
        life = new ModelBroker(storage, directory, clock);
        play = new ModelPlay(life, chance, schedule);
    }

    /** Everything comes to rest, and there must be the same on all sides. */
    private void compare() throws JournalException {
        schedule.append("compared\n");
        life.settle();
        plant();
        FaultyStorage disk = storage.copy();
        disk.losePower(null);
        String running = ModelText.of(life);
        shouldBeSame("recovered", running, ModelText.of(ModelBroker.recover(disk.copy(), directory, clock)));
        follower.feed(storage);
        shouldBeSame("followed", running, ModelText.of(follower.takeOver(disk)));
        shouldForgetWhatHasEnded();
        shouldCountReferences();
        if (chance.nextInt(8) == 0) {
            follower.restart();
            hasRestarted = true;
        }
    }

    private void plant() {
        if (mistake == ModelMistake.LEAKED_REFERENCE) {
            life.store.segments().appended(1, 1, 100);
        } else if (mistake == ModelMistake.DOUBLE_RELEASE) {
            life.store.segments().release(1, 1, 100);
        }
    }

    private void shouldCountReferences() {
        Map<Integer, Long> held = ModelText.references(life);
        SegmentTable counted = life.store.segments();
        Set<Integer> segments = new HashSet<>(held.keySet());
        segments.addAll(counted.segments());
        for (int segment : segments) {
            long present = held.getOrDefault(segment, 0L);
            if (counted.live(segment) != present) {
                throw new AssertionError("segment " + segment + " has " + present + " references, and "
                        + counted.live(segment) + " are counted");
            }
        }
        if (counted.strays() != 0) {
            throw new AssertionError(counted.strays() + " references were released into segments that are gone");
        }
    }

    /** The power goes, at any moment. */
    private void crash() throws Exception {
        schedule.append("crash\n");
        follower.feed(storage);
        storage.losePower(new SplittableRandom(chance.nextLong()));
        FaultyStorage disk = storage.copy();
        String recovered = ModelText.of(ModelBroker.recover(storage.copy(), directory, clock));
        shouldBeSame("followed over a crash", recovered, ModelText.of(follower.takeOver(disk)));
        begin();
        hasRestarted = false;
        compare();
    }

    /** A checkpoint does not say which queues are known by what came late for them alone; so not after a restart. */
    private void shouldForgetWhatHasEnded() {
        Set<Long> present = ModelText.durableQueues(life);
        if (mistake == ModelMistake.NONE
                && !hasRestarted
                && !follower.queuesAlive().equals(present)) {
            throw new AssertionError(
                    "queues " + follower.queuesAlive() + " are alive at the follower, and there are " + present);
        }
    }

    private static void shouldBeSame(String what, String expected, String actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + " is not what there is:\n" + difference(expected, actual));
        }
    }

    private static String difference(String expected, String actual) {
        StringBuilder text = new StringBuilder();
        Set<String> there = new HashSet<>(expected.lines().toList());
        Set<String> here = new HashSet<>(actual.lines().toList());
        String queue = "";
        for (String line : expected.lines().toList()) {
            queue = line.startsWith(" ") ? queue : line;
            if (!here.contains(line)) {
                text.append("missing: ")
                        .append(queue)
                        .append(" | ")
                        .append(line)
                        .append('\n');
            }
        }
        for (String line : actual.lines().toList()) {
            queue = line.startsWith(" ") ? queue : line;
            if (!there.contains(line)) {
                text.append("too much: ")
                        .append(queue)
                        .append(" | ")
                        .append(line)
                        .append('\n');
            }
        }
        return text.toString();
    }
}
