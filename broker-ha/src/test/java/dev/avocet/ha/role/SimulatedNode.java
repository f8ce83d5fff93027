package dev.avocet.ha.role;

import dev.avocet.core.time.Clock;
import dev.avocet.ha.coordination.Register;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A process with its disk and its clock. It can be killed, stopped for a while, and lose its power. */
final class SimulatedNode implements PairPort, Clock {
    private static final long TICK_MS = 40;

    private final World world;
    private final Simulation simulation;
    private final PairSettings settings;
    private final SafetyRules rules;
    private final SimulatedLog log;
    private final double rate;
    private final long originNs;
    private final Deque<Runnable> delayed = new ArrayDeque<>();

    private PairNode machine;
    private boolean up;
    private boolean stopped;
    private boolean cutOff;
    private long life;
    private long downSinceMs;
    private boolean forcing;
    private int diskMs = 3;
    private long leaseEndNs = PairNode.NO_LEASE;

    SimulatedNode(Simulation simulation, PairSettings settings, SafetyRules rules) {
        this.simulation = simulation;
        this.world = simulation.world();
        this.settings = settings;
        this.rules = rules;
        this.log = new SimulatedLog("store of " + settings.self(), this::force);
        this.rate = 1 + (world.random.nextDouble() - 0.5) / 50;
        this.originNs = world.random.nextLong(1L << 50);
        this.machine = new PairNode(settings, rules, this, log, this);
    }

    String name() {
        return settings.self();
    }

    PairNode machine() {
        return machine;
    }

    SimulatedLog log() {
        return log;
    }

    boolean isUp() {
        return up;
    }

    boolean isRunning() {
        return up && !stopped;
    }

    /** Whether its connections would send a message now, without having heard anything since. */
    boolean delivers() {
        return PairNode.holds(leaseEndNs, nanoTime());
    }

    boolean isCutOff() {
        return cutOff;
    }

    long downSinceMs() {
        return downSinceMs;
    }

    /** From the coordinator. */
    void cutOff(boolean isCutOff) {
        cutOff = isCutOff;
    }

    void diskMs(int ms) {
        diskMs = ms;
    }

    // ---- its life

    void start() {
        if (up) {
            return;
        }
        life++;
        up = true;
        stopped = false;
        forcing = false;
        leaseEndNs = PairNode.NO_LEASE;
        delayed.clear();
        log.recover();
        machine = new PairNode(settings, rules, this, log, this);
        world.say("{} starts with {} records, epochs {}", name(), log.end(), log.starts());
        machine.start();
        tick();
    }

    private void tick() {
        later(TICK_MS / 2, TICK_MS, () -> {
            machine.tick();
            tick();
        });
    }

    void kill(boolean power) {
        if (!up) {
            return;
        }
        world.say("{} {}", name(), power ? "loses its power" : "is killed");
        up = false;
        life++;
        downSinceMs = world.nowMs();
        if (power) {
            log.losePower(world.random, simulation.broken() == Simulation.Broken.DISK);
        }
    }

    void wipe() {
        world.say("{} gets another disk", name());
        log.wipe(world.random);
    }

    void stop() {
        if (isRunning()) {
            world.say("{} is stopped", name());
            stopped = true;
        }
    }

    void goOn() {
        if (!stopped) {
            return;
        }
        world.say("{} goes on", name());
        stopped = false;
        long born = life;
        while (!delayed.isEmpty() && !stopped && born == life) {
            delayed.remove().run();
        }
    }

    // ---- what happens to it

    void later(long fromMs, long toMs, Runnable action) {
        at(world.nowNs() + world.between(fromMs, toMs), action);
    }

    /** If it lives until then; a stopped process does it when it goes on. */
    void at(long atNs, Runnable action) {
        long born = life;
        world.at(atNs, () -> {
            if (born != life || !up) {
                return;
            }
            if (stopped) {
                delayed.add(action);
            } else {
                action.run();
            }
        });
    }

    void publish(long id) {
        world.say("{} appends record {} at {} in epoch {}", name(), id, log.end(), machine.epoch());
        log.append(id, machine.epoch());
        machine.appended();
    }

    private void force() {
        if (forcing) {
            return;
        }
        forcing = true;
        long goal = log.end();
        // Of a log that is cut back meanwhile and written again nothing more than that is durable.
        EpochStarts starts = log.starts();
        later(1, Math.max(2, diskMs), () -> {
            forcing = false;
            boolean same = log.starts().starts().containsAll(starts.starts());
            log.forcedUpTo(same ? Math.min(goal, log.end()) : 0);
            machine.forced();
            if (log.forced() < log.end()) {
                force();
            }
        });
    }

    // ---- what it does

    @Override
    public long nanoTime() {
        return originNs + (long) (world.nowNs() * rate);
    }

    @Override
    public long wallTimeMs() {
        return world.nowMs();
    }

    @Override
    public void send(long link, PairMessage message) {
        simulation.network().send(this, link, message);
    }

    @Override
    public void ship(long link, long epoch, long from, long end) {
        later(0, 3, () -> {
            List<SimulatedLog.Entry> records = log.read(from, end);
            long last = from + records.size();
            if (!records.isEmpty()) {
                send(link, new PairMessage.Records(epoch, from, last, records));
            }
            machine.shipped(link, epoch, last);
        });
    }

    @Override
    public void readRegister() {
        simulation.register().read(this);
    }

    @Override
    public void writeRegister(Register expected, Register next) {
        world.say("{} attempts {}", name(), next);
        simulation.register().write(this, expected, next);
    }

    @Override
    public void lead(long epoch) {
        world.say("{} leads epoch {}", name(), epoch);
        simulation.checks().leads(this, epoch);
    }

    @Override
    public void stopLeading(String why) {
        world.say("{} does not lead any more: {}", name(), why);
    }

    @Override
    public void committed(long position) {
        simulation.checks().committed(this, position);
    }

    @Override
    public void mayDeliverUntil(long endNs) {
        leaseEndNs = endNs;
    }

    @Override
    public void attended(boolean isAttended) {
        world.say("{} is {}", name(), isAttended ? "attended" : "not attended");
    }

    @Override
    public void roleChanged(Role role, Register register) {
        world.say("{} is {}", name(), role);
    }
}
