package dev.avocet.ha.role;

/**
 * Links between two nodes, one after the other. What is sent on a link arrives in order or not at all; the ends of a
 * link learn of its end at different times, or only when there is another one.
 */
final class SimulatedNetwork {
    private final World world;
    private final SimulatedNode[] nodes = new SimulatedNode[2];
    private final long[] arrivalNs = new long[2];
    private final boolean[] stalled = new boolean[2];
    private long link;
    private boolean up;
    private boolean connecting;
    private boolean cut;
    private int slowPercent;

    SimulatedNetwork(World world) {
        this.world = world;
    }

    void add(SimulatedNode first, SimulatedNode second) {
        nodes[0] = first;
        nodes[1] = second;
    }

    /** Connects if there is nothing in the way. */
    void tick() {
        if (up || connecting || cut || !nodes[0].isUp() || !nodes[1].isUp()) {
            return;
        }
        connecting = true;
        world.in(5, 80, () -> {
            connecting = false;
            if (up || cut || !nodes[0].isUp() || !nodes[1].isUp()) {
                return;
            }
            up = true;
            long number = ++link;
            world.say("link {} is up", number);
            for (int side = 0; side < 2; side++) {
                SimulatedNode node = nodes[side];
                long readyNs = world.nowNs() + world.between(0, 15);
                arrivalNs[side] = readyNs;
                node.at(readyNs, () -> {
                    if (number == link) { // of a link that was short an end may hear after the next one
                        node.machine().linkUp(number);
                    }
                });
            }
        });
    }

    void send(SimulatedNode from, long onLink, PairMessage message) {
        if (!up || onLink != link) {
            return;
        }
        int side = from == nodes[0] ? 1 : 0;
        if (stalled[side]) {
            return; // it stays in the way until the link breaks
        }
        long delayNs = world.chance(slowPercent) ? world.between(50, 400) : world.between(0, 4);
        arrivalNs[side] = Math.max(arrivalNs[side] + 1, world.nowNs() + delayNs);
        SimulatedNode to = nodes[side];
        to.at(arrivalNs[side], () -> {
            // Of a broken link what was on the way may arrive, up to some message.
            if (onLink == link && (up || world.chance(50))) {
                if (message instanceof PairMessage.Heartbeat) {
                    to.heardMs(world.nowMs());
                }
                world.say("{} gets {}", to.name(), message);
                to.machine().received(onLink, message);
            } else if (!up) {
                link++;
            }
        });
    }

    /** Breaks the link. Each end hears of it, soon or late. */
    void breakLink(long heardMs) {
        if (!up) {
            return;
        }
        up = false;
        long number = link;
        world.say("link {} breaks", number);
        stalled[0] = false;
        stalled[1] = false;
        for (SimulatedNode node : nodes) {
            node.later(0, heardMs, () -> node.machine().linkDown(number));
        }
    }

    void cut(boolean isCut) {
        cut = isCut;
    }

    boolean isCut() {
        return cut;
    }

    /** Nothing arrives at that side any more, on this link. */
    void stall(int side) {
        if (up) {
            world.say("nothing reaches {}", nodes[side].name());
            stalled[side] = true;
        }
    }

    void slow(int percent) {
        slowPercent = percent;
    }
}
