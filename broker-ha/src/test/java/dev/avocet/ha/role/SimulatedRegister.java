package dev.avocet.ha.role;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Register;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The coordinator: it may be out of reach of a node, lose requests and answers, and carry out a request late. */
final class SimulatedRegister {
    private static final long TIMEOUT_MS = 250;

    private final World world;
    private List<SimulatedNode> nodes = List.of();
    private Consumer<SimulatedNode> onForced = node -> {};
    private Register value = Register.NONE;
    private final boolean blind;
    private boolean down;

    /** How many of a hundred requests, and of a hundred answers, are lost. */
    private int lossPercent;

    SimulatedRegister(World world, boolean blind) {
        this.blind = blind;
        this.world = world;
    }

    /** @param forced hears of a node that the register names as the leader by force */
    void watchedBy(List<SimulatedNode> watching, Consumer<SimulatedNode> forced) {
        onForced = forced;
        nodes = watching;
    }

    Register value() {
        return value;
    }

    void down(boolean isDown) {
        down = isDown;
    }

    void lossy(int percent) {
        lossPercent = percent;
    }

    void read(SimulatedNode node) {
        ask(node, () -> {
            Register read = value;
            return () -> node.machine().registerSeen(read);
        });
    }

    void write(SimulatedNode node, Register expected, Register next) {
        node.later(TIMEOUT_MS, TIMEOUT_MS, () -> node.machine().registerUnanswered(next));
        ask(node, () -> {
            CasResult result;
            if (value.equals(expected) || blind && next.revision() >= value.revision()) {
                Register before = value;
                value = next;
                boolean lacks = !before.isInSync(node.name()) || node.mayHaveLost();
                if (node.isForced() && next.leader().equals(node.name()) && lacks) {
                    node.forced(false);
                    onForced.accept(node);
                }
                tellAll();
                world.say("register: {}", next);
                result = new CasResult.Written(next);
            } else {
                result = CasResult.of(value, next);
            }
            return () -> node.machine().registerAnswered(result);
        });
    }

    /** Whoever watches hears of it sooner or later, or not at all. */
    private void tellAll() {
        Register told = value;
        for (SimulatedNode node : nodes) {
            if (!node.isCutOff() && world.chance(70)) {
                node.later(
                        1, world.chance(80) ? 30 : 1_500, () -> node.machine().registerSeen(told));
            }
        }
    }

    private void ask(SimulatedNode node, Supplier<Runnable> question) {
        boolean lost = down || node.isCutOff() || world.chance(lossPercent);
        if (lost && !world.chance(lossPercent / 2)) {
            return;
        }
        // A request that seemed lost may still be carried out, much later.
        long fromMs = lost ? 300 : 1;
        long toMs = lost ? 3_000 : 20;
        world.in(fromMs, toMs, () -> {
            if (down) {
                return;
            }
            Runnable answer = question.get();
            if (!lost && !world.chance(lossPercent)) {
                node.later(1, 20, answer);
            }
        });
    }
}
