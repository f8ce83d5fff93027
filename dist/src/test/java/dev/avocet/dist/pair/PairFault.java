package dev.avocet.dist.pair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What befalls a pair. Each ends with everything healed, though not before all have noticed. */
enum PairFault {
    KILL_ACTIVE {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException {
            killAndStart(pair, active, chance);
        }
    },
    KILL_STANDBY {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException {
            killAndStart(pair, PairUnderTest.other(active), chance);
        }
    },
    KILL_ARBITER {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException {
            pair.kill(PairUnderTest.ARBITER);
            pause(chance.nextInt(2_000));
            pair.startArbiter();
        }
    },
    STOP_ARBITER {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            stopAndContinue(pair, PairUnderTest.ARBITER, chance);
        }
    },
    /** The active one is alone then, cannot be told so, and has to give its role up if that lasts. */
    STOP_ALL_BUT_ACTIVE {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            pair.of(PairUnderTest.ARBITER).stop();
            stopAndContinue(pair, PairUnderTest.other(active), chance);
            pair.of(PairUnderTest.ARBITER).signal("CONT");
        }
    },
    KILL_ACTIVE_AND_ARBITER {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException {
            pair.kill(PairUnderTest.ARBITER);
            pair.kill(active);
            pause(chance.nextInt(2_000));
            pair.startArbiter(); // only now the other one can be promoted
            pause(chance.nextInt(2_000));
            pair.start(active);
        }
    },
    KILL_BOTH {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException {
            pair.kill(active);
            pause(chance.nextInt(1_000)); // shorter or longer than a takeover
            pair.kill(PairUnderTest.other(active));
            pair.start(active);
            pause(chance.nextInt(1_000));
            pair.start(PairUnderTest.other(active));
        }
    },
    STOP_ACTIVE {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            stopAndContinue(pair, active, chance);
        }
    },
    STOP_STANDBY {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            stopAndContinue(pair, PairUnderTest.other(active), chance);
        }
    },
    CUT_BOTH_WAYS {
        @Override
        void play(FaultyPair pair, String active, Random chance) {
            cut(pair, true, true, chance);
        }
    },
    CUT_THERE {
        @Override
        void play(FaultyPair pair, String active, Random chance) {
            cut(pair, true, false, chance);
        }
    },
    CUT_BACK {
        @Override
        void play(FaultyPair pair, String active, Random chance) {
            cut(pair, false, true, chance);
        }
    },
    SLOW_LINK {
        @Override
        void play(FaultyPair pair, String active, Random chance) {
            pair.link().delay(20 + chance.nextInt(400));
            pause(1_000 + chance.nextInt(2_000));
            pair.link().heal();
        }
    },
    RESET_LINK {
        @Override
        void play(FaultyPair pair, String active, Random chance) {
            for (int i = chance.nextInt(4); i >= 0; i--) {
                pair.link().reset();
                pause(chance.nextInt(500));
            }
        }
    },
    SWITCH {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            pair.admin(active, "ha", "switch");
        }
    },
    FULL_DISK_OF_ACTIVE(true) {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException {
            fillAndFree(pair, active, chance);
        }
    },
    FULL_DISK_OF_STANDBY(true) {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException {
            fillAndFree(pair, PairUnderTest.other(active), chance);
        }
    },
    POWER_OF_ACTIVE(true) {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            pair.cutPower(active);
            pause(chance.nextInt(2_000));
            pair.start(active);
        }
    },
    POWER_OF_STANDBY(true) {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            String standby = PairUnderTest.other(active);
            pair.cutPower(standby);
            pause(chance.nextInt(2_000));
            pair.start(standby);
        }
    },
    POWER_OF_BOTH(true) {
        @Override
        void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException {
            String standby = PairUnderTest.other(active);
            pair.cutPower(active);
            pair.cutPower(standby);
            pair.start(standby);
            pause(chance.nextInt(1_000));
            pair.start(active);
        }
    };

    private static final int SHORTEST_STOP_MS = 300;
    private static final int LONGEST_STOP_MS = 10_000;

    private final boolean needsDisks;

    PairFault() {
        this(false);
    }

    PairFault(boolean needsDisks) {
        this.needsDisks = needsDisks;
    }

    /** Whether it takes disks of which each node has one to itself. */
    boolean needsDisks() {
        return needsDisks;
    }

    abstract void play(FaultyPair pair, String active, Random chance) throws IOException, InterruptedException;

    private static void killAndStart(FaultyPair pair, String node, Random chance) throws IOException {
        pair.kill(node);
        pause(chance.nextInt(2_000));
        pair.start(node);
    }

    private static void stopAndContinue(FaultyPair pair, String node, Random chance)
            throws IOException, InterruptedException {
        pair.of(node).stop();
        boolean isLong = chance.nextInt(5) == 0;
        pause(SHORTEST_STOP_MS + chance.nextInt((isLong ? LONGEST_STOP_MS : LONGEST_STOP_MS / 5) - SHORTEST_STOP_MS));
        pair.of(node).signal("CONT");
    }

    private static void cut(FaultyPair pair, boolean there, boolean back, Random chance) {
        pair.link().cut(there, back);
        pause(chance.nextInt(3_000));
        if (chance.nextBoolean()) {
            pair.link().reset(); // what was under way is lost
        }
        pair.link().heal();
    }

    private static void fillAndFree(FaultyPair pair, String node, Random chance) throws IOException {
        Path others = pair.disk(node).fill();
        pause(1_000 + chance.nextInt(3_000));
        Files.delete(others);
    }

    private static void pause(int milliseconds) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }
}
