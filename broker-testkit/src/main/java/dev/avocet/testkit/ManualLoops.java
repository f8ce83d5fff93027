package dev.avocet.testkit;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Several {@link ManualLoop}s with one clock. Their tasks can be interleaved by a seeded source of chance: every order
 * in which real loops could run whole tasks is possible, and each can be had again.
 */
public final class ManualLoops {
    private final ManualClock clock = new ManualClock();
    private final MemoryGuard memory = new MemoryGuard();
    private final List<ManualLoop> loops;

    public ManualLoops(int count) {
        loops = IntStream.range(0, count)
                .mapToObj(index -> new ManualLoop(index, clock, memory))
                .toList();
    }

    public ManualLoop get(int index) {
        return loops.get(index);
    }

    /** What the broker knows of a loop. */
    public IoLoop io(int index) {
        return loops.get(index).io();
    }

    public List<IoLoop> all() {
        return loops.stream().map(ManualLoop::io).toList();
    }

    public ManualClock clock() {
        return clock;
    }

    public MemoryGuard memory() {
        return memory;
    }

    /** Does something now as the thread of a loop would. */
    public void on(int index, Runnable action) {
        loops.get(index).run(action);
    }

    /** Runs tasks, loop by loop, until none is left anywhere. */
    public void settle() {
        while (!isIdle()) {
            loops.forEach(ManualLoop::runAll);
        }
    }

    /** Runs tasks of loops chosen by chance until none is left anywhere. */
    public void settle(Random chance) {
        while (!isIdle()) {
            step(chance);
        }
    }

    /** Gives one loop, chosen by chance, the time for one task, if it has one. */
    public void step(Random chance) {
        loops.get(chance.nextInt(loops.size())).runOne();
    }

    /** Lets time pass and fires what became due; what that leaves to do is not done yet. */
    public void advance(Duration duration) {
        clock.advance(duration);
        loops.forEach(loop -> loop.run(loop.io()::tick));
    }

    public boolean isIdle() {
        return loops.stream().allMatch(ManualLoop::isIdle);
    }
}
