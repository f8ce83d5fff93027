package dev.avocet.ha.role;

import dev.avocet.core.time.Clock;
import dev.avocet.ha.coordination.Register;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A process with its disk and its clock. It can be killed, stopped for a while, and lose its power. */
final class SimulatedNode implements PairPort, Clock {
    private static final long TICK_MS = 40;
    private static final int RECORDS_PER_STEP = 10;
    private static final int EVERY_SO_MANY_READ = 3;

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
    private long heardMs = Long.MIN_VALUE / 2;
    private boolean forced;
    private boolean forcing;

    /** It has confirmed in memory what it may have lost since. */
    private boolean mayHaveLost;

    private int diskMs = 3;
    private long shipment;
    private long leaseEndNs = PairNode.NO_LEASE;

    SimulatedNode(Simulation simulation, PairSettings settings, SafetyRules rules) {
        this.simulation = simulation;
        this.world = simulation.world();
        this.settings = settings;
        this.rules = rules;
        this.log = new SimulatedLog("store of " + settings.self(), this::force, this::forceReceived);
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

    /** A heartbeat has come. */
    void heardMs(long ms) {
        heardMs = ms;
    }

    /** An administrator would see that the other node answers this one. */
    boolean hears() {
        return world.nowMs() - heardMs < 150;
    }

    /** The last wish of an administrator is that this node leads by force. */
    boolean isForced() {
        return forced;
    }

    void forced(boolean isForced) {
        forced = isForced;
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
        stopped = false; // a process that is killed while it stands still does not go on
        delayed.clear();
        life++;
        downSinceMs = world.nowMs();
        mayHaveLost = simulation.inMemory();
        if (power || mayHaveLost) { // what was not forced was with the process
            log.losePower(world.random, simulation.broken() == Simulation.Broken.DISK);
        }
    }

    boolean mayHaveLost() {
        return mayHaveLost;
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
            boolean isAwaited = log.isAwaited();
            log.forcedUpTo(same ? Math.min(goal, log.end()) : 0);
            if (isAwaited || machine.epoch() == 0) {
                machine.forced();
            }
            if (log.forced() < log.end()) {
                force();
            }
        });
    }

    private void forceReceived() {
        later(1, Math.max(2, 2 * diskMs), () -> machine.storeReceived());
    }

    /** Takes a checkpoint now and then, and drops what nobody needs; after a while, also what the other one needs. */
    void reclaim(boolean passesLimit) {
        long needed = passesLimit && !machine.partnerStarts() ? Long.MAX_VALUE : machine.partnerNeeds();
        long end = Math.min(needed, machine.committed());
        if (isRunning() && machine.epoch() > 0 && end > log.checkpoint()) {
            world.say("{} drops what lies before {}", name(), end);
            log.drop(log.checkpoint() + world.random.nextLong(end - log.checkpoint() + 1));
        }
    }

    /** Sends some of a store, and then the rest. */
    private void shipStore(long link, long epoch, long checkpoint, List<long[]> parts, long from) {
        long mine = shipment;
        later(0, 20, () -> {
            if (mine != shipment) {
                return;
            }
            if (!parts.isEmpty()) {
                long[] part = parts.remove(0);
                SimulatedLog.State state = new SimulatedLog.State(part[0], log.state(part[0], part[1]));
                send(link, new PairMessage.Part(epoch, state));
                shipStore(link, epoch, checkpoint, parts, from);
                return;
            }
            long first = Math.max(from, log.checkpoint()); // what was dropped meanwhile is not there
            List<SimulatedLog.Entry> records = log.read(first, first + RECORDS_PER_STEP);
            long last = first + records.size();
            if (records.isEmpty()) {
                send(link, new PairMessage.Whole(epoch, last));
            } else {
                send(link, new PairMessage.Records(epoch, first, last, records));
                machine.storeShipped(link, epoch, last, checkpoint);
                shipStore(link, epoch, checkpoint, parts, last);
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
        if (message instanceof PairMessage.Confirm) {
            mayHaveLost = false; // its leader has made sure that it has what was acknowledged before
        }
        simulation.network().send(this, link, message);
    }

    /** At once, as a leader sends what it has just appended, or later, as it has to be read. */
    @Override
    public long ship(long link, long epoch, long from, long end) {
        if (from % EVERY_SO_MANY_READ != 0) {
            List<SimulatedLog.Entry> records = log.read(from, end);
            if (!records.isEmpty()) {
                send(link, new PairMessage.Records(epoch, from, from + records.size(), records));
            }
            return from + records.size();
        }
        later(0, 3, () -> {
            List<SimulatedLog.Entry> records = log.read(from, end);
            long last = from + records.size();
            if (!records.isEmpty()) {
                send(link, new PairMessage.Records(epoch, from, last, records));
            }
            machine.shipped(link, epoch, last);
        });
        return UNDER_WAY;
    }

    @Override
    public void shipStore(long link, long epoch, long request, EpochStarts starts) {
        long mine = ++shipment;
        later(
                3,
                6,
                () -> { // behind records that are being sent
                    if (mine != shipment) {
                        return;
                    }
                    long checkpoint = log.checkpoint();
                    send(link, new PairMessage.Start(request, epoch, log.storeId(), checkpoint, starts));
                    List<long[]> parts = new ArrayList<>();
                    for (long at = 0; at < checkpoint; at += RECORDS_PER_STEP) {
                        parts.add(new long[] {at, Math.min(checkpoint, at + RECORDS_PER_STEP)});
                    }
                    shipStore(link, epoch, checkpoint, parts, checkpoint);
                });
    }

    @Override
    public void storeReceived() {
        world.say("{} has received a store", name());
        simulation.checks().receivedStore();
        later(0, 30, () -> {
            kill(false);
            if (world.chance(80)) {
                log.replace(); // else it was killed before that was decided
            }
            simulation.network().breakLink(50);
            world.in(20, 500, this::start);
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
    public void stopLeading(String why, boolean relieved) {
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
    public void renewed(String refused) {
        world.say("{} may give its store up: {}", name(), refused);
        if (refused.isEmpty()) {
            later(1, 30, () -> {
                kill(false);
                wipe();
                simulation.network().breakLink(50);
                world.in(20, 500, this::start);
            });
        }
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
