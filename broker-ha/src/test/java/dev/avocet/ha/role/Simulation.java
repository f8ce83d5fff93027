package dev.avocet.ha.role;

import java.time.Duration;
import java.util.List;

/** A pair, its coordinator, its clients and everything that goes wrong, played from a seed. */
final class Simulation {
    private static final long FAULTS_MS = 10_000;
    private static final long QUIET_MS = 9_000;
    private static final long LAST_PUBLISH_MS = FAULTS_MS + 7_500;

    /** What a pair is not made for: it shows that the checks look. */
    enum Broken {
        NOTHING,
        /** A coordinator that writes whatever was there. */
        REGISTER,
        /** A disk that forgets what it has forced. */
        DISK
    }

    private final World world;
    private final SimulatedRegister register;
    private final SimulatedNetwork network;
    private final List<SimulatedNode> nodes;
    private final Checks checks;
    private final Broken broken;

    /** A follower confirms what it has received. */
    private final boolean inMemory;

    private boolean quiet;
    private boolean wiped;
    private long published;

    private Simulation(long seed, SafetyRules rules, Broken broken, boolean inMemory, boolean tracing) {
        this.broken = broken;
        this.inMemory = inMemory;
        world = new World(seed, tracing);
        register = new SimulatedRegister(world, broken == Broken.REGISTER);
        network = new SimulatedNetwork(world);
        nodes = List.of(
                new SimulatedNode(this, settings("a", "b", inMemory), rules),
                new SimulatedNode(this, settings("b", "a", inMemory), rules));
        network.add(nodes.get(0), nodes.get(1));
        checks = new Checks(this);
        register.watchedBy(nodes, checks::forced);
    }

    private static PairSettings settings(String self, String partner, boolean inMemory) {
        return new PairSettings(
                self,
                partner,
                Duration.ofMillis(100),
                Duration.ofMillis(600),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofMillis(1_500),
                Duration.ofMillis(250),
                1,
                16,
                4,
                inMemory,
                false);
    }

    /** Plays it; returns how many records were acknowledged. */
    static long play(long seed, SafetyRules rules) {
        return play(seed, rules, Broken.NOTHING);
    }

    static long play(long seed, SafetyRules rules, Broken broken) {
        Simulation simulation = new Simulation(seed, rules, broken, false, false);
        simulation.play();
        return simulation.checks.committed();
    }

    /** The same where a follower confirms what it has received. */
    static long playInMemory(long seed, SafetyRules rules) {
        Simulation simulation = new Simulation(seed, rules, Broken.NOTHING, true, false);
        simulation.play();
        return simulation.checks.committed();
    }

    /** Plays it; returns how often a node was the leader by force. */
    static int playForced(long seed) {
        Simulation simulation = new Simulation(seed, new SafetyRules(), Broken.NOTHING, false, false);
        simulation.play();
        return simulation.checks.forced();
    }

    /** Plays it; returns how often a node has received a store from a checkpoint on. */
    static int playReceived(long seed) {
        Simulation simulation = new Simulation(seed, new SafetyRules(), Broken.NOTHING, false, false);
        simulation.play();
        return simulation.checks.received();
    }

    /** Plays it once more, and tells what happened; the last line is the violation. */
    static List<String> explain(long seed, SafetyRules rules, boolean inMemory) {
        Simulation simulation = new Simulation(seed, rules, Broken.NOTHING, inMemory, true);
        try {
            simulation.play();
        } catch (RuntimeException | AssertionError e) {
            simulation.world.say("VIOLATION: {}", e.toString());
        }
        return simulation.world.trace();
    }

    private void play() {
        nodes.forEach(node -> world.in(0, 500, node::start));
        clients();
        connect();
        reclaim();
        world.in(500, 2_000, this::fault);
        world.playUntilMs(FAULTS_MS, checks::afterEach);
        calmDown();
        world.playUntilMs(FAULTS_MS + QUIET_MS, checks::afterEach);
        checks.converged();
    }

    private void clients() {
        world.in(5, 60, () -> {
            SimulatedNode node = nodes.get(world.random.nextInt(nodes.size()));
            if (node.isRunning() && node.machine().mayAccept() && world.nowMs() < LAST_PUBLISH_MS) {
                int burst = world.chance(5) ? 20 : 1;
                for (int i = 0; i < burst && node.machine().mayAccept(); i++) {
                    node.publish(++published);
                }
            }
            clients();
        });
    }

    /** What the log takes is bounded: for a node that is away as well. */
    private void reclaim() {
        world.in(200, 1_500, () -> {
            nodes.forEach(node -> node.reclaim(world.chance(40)));
            reclaim();
        });
    }

    private void connect() {
        world.in(10, 60, () -> {
            network.tick();
            connect();
        });
    }

    /** One after the other and some at once: the time until the next one may be shorter than what one lasts. */
    private void fault() {
        if (quiet) {
            return;
        }
        SimulatedNode node = nodes.get(world.random.nextInt(nodes.size()));
        int side = world.random.nextInt(2);
        switch (world.random.nextInt(22)) {
            case 0, 1 -> down(node, false);
            case 2 -> down(node, true);
            case 3 -> {
                down(node, true);
                down(other(node), true);
            }
            case 4, 5 -> {
                node.stop();
                world.in(50, 2_500, node::goOn);
            }
            case 6 -> network.breakLink(300);
            case 7 -> {
                network.cut(true);
                network.breakLink(1_500);
                world.in(100, 2_500, () -> network.cut(false));
            }
            case 8 -> {
                network.stall(side);
                world.in(100, 2_500, () -> network.breakLink(1_000));
            }
            case 9 -> {
                network.slow(40);
                world.in(200, 3_000, () -> network.slow(0));
            }
            case 10 -> {
                node.diskMs(world.chance(50) ? 300 : 4_000);
                world.in(100, 2_000, () -> node.diskMs(3));
            }
            case 11 -> {
                node.cutOff(true);
                world.in(100, 3_000, () -> node.cutOff(false));
            }
            case 12 -> {
                boolean lossy = world.chance(70);
                register.lossy(lossy ? 60 : 0);
                register.down(!lossy);
                world.in(100, 3_000, () -> {
                    register.lossy(0);
                    register.down(false);
                });
            }
            case 13, 14 -> pause(node);
            case 16, 17, 18 -> promote(node);
            case 15 -> {
                if (node.isRunning() && node.machine().renew().isEmpty()) {
                    world.say("{} is to give its store up", node.name());
                }
            }
            default ->
                nodes.stream().filter(SimulatedNode::isRunning).forEach(running -> {
                    if (running.machine().switchOver()) {
                        world.say("{} is asked to hand over", running.name());
                    }
                });
        }
        world.in(50, 1_500, this::fault);
    }

    /** An administrator pauses a node that does not lead, and resumes it sooner or later. */
    private void pause(SimulatedNode node) {
        if (node.isRunning() && node.machine().pause().isEmpty()) {
            world.say("{} is paused", node.name());
            world.in(100, 4_000, () -> resume(node));
        }
    }

    /** An administrator has a node lead by force as the other one is down, or wants to though it answers. */
    private void promote(SimulatedNode node) {
        if (!quiet && node.isRunning() && !register.value().isInSync(node.name()) && world.chance(50)) {
            down(other(node), world.chance(50));
            world.in(700, 1_500, () -> promoteIfMeant(node));
        } else {
            promoteIfMeant(node);
        }
    }

    private void promoteIfMeant(SimulatedNode node) {
        if (node.isRunning()
                && (!other(node).isUp() || node.hears())
                && node.machine().promote().isEmpty()) {
            world.say("{} is to lead by force", node.name());
            node.forced(true);
        }
    }

    private void resume(SimulatedNode node) {
        if (node.isRunning() && node.machine().resume().isEmpty()) {
            world.say("{} is resumed", node.name());
        }
    }

    private void down(SimulatedNode node, boolean power) {
        if (!node.isUp()) {
            return;
        }
        node.kill(power);
        network.breakLink(power ? 1_500 : 50);
        boolean forLong = world.chance(25);
        world.in(forLong ? 3_600 : 50, forLong ? 5_500 : 3_000, () -> up(node));
    }

    private void up(SimulatedNode node) {
        if (!node.isUp() && mayLoseDisk(node) && world.chance(50)) {
            wiped = true;
            node.wipe();
        }
        node.start();
    }

    /** Only where the other one has everything by right, and no request of this one is still under way. */
    private boolean mayLoseDisk(SimulatedNode node) {
        SimulatedNode other = other(node);
        return !wiped
                && !quiet
                && !inMemory // the other one may have lost what it has by right, and this one has it alone
                && world.nowMs() - node.downSinceMs() > 3_500
                && register.value().isInSync(other.name())
                && other.log().storeId().equals(register.value().storeId());
    }

    private SimulatedNode other(SimulatedNode node) {
        return node == nodes.get(0) ? nodes.get(1) : nodes.get(0);
    }

    private void calmDown() {
        quiet = true;
        network.cut(false);
        network.slow(0);
        network.breakLink(50);
        register.down(false);
        register.lossy(0);
        for (SimulatedNode node : nodes) {
            node.diskMs(3);
            node.cutOff(false);
            node.goOn();
            node.start();
            resume(node);
        }
        world.say("all faults are over");
    }

    boolean inMemory() {
        return inMemory;
    }

    Broken broken() {
        return broken;
    }

    World world() {
        return world;
    }

    SimulatedRegister register() {
        return register;
    }

    SimulatedNetwork network() {
        return network;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    Checks checks() {
        return checks;
    }
}
