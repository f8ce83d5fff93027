package dev.avocet.ha.role;

import static org.assertj.core.api.Assertions.fail;

import dev.avocet.ha.coordination.Register;
import dev.avocet.testkit.turn.InTurn;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds each of these bugs: that it finds none in the rules as they are is worth something. */
@InTurn
final class PlantedBugsTest {
    private static final int SEEDS = 2_000;

    static Stream<String> bugs() {
        return rules().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void shouldBeFound(String bug) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                Simulation.play(seed, rules().get(bug).get());
            } catch (RuntimeException | AssertionError found) {
                return;
            }
        }
        fail("A node that " + bug + " was not found by " + SEEDS + " seeds");
    }

    static Stream<String> bugsInMemory() {
        return rulesInMemory().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("bugsInMemory")
    void shouldBeFoundWhereAFollowerConfirmsWhatItHasReceived(String bug) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                Simulation.playInMemory(seed, rulesInMemory().get(bug).get());
            } catch (RuntimeException | AssertionError found) {
                return;
            }
        }
        fail("A node that " + bug + " was not found by " + SEEDS + " seeds");
    }

    private static Map<String, Supplier<SafetyRules>> rulesInMemory() {
        Map<String, Supplier<SafetyRules>> rules = new LinkedHashMap<>();
        rules.put("takes what it has confirmed in an earlier life for there", () -> new SafetyRules() {
            @Override
            boolean hasWhatItConfirmed(boolean inMemory, boolean synced, boolean ledLast) {
                return true;
            }
        });
        rules.put("leads before it has on its disk what it has confirmed", () -> new SafetyRules() {
            @Override
            boolean mayAttempt(long forced, long end, boolean inMemory) {
                return true;
            }
        });
        return rules;
    }

    @ParameterizedTest
    @EnumSource(value = Simulation.Broken.class, mode = Mode.EXCLUDE, names = "NOTHING")
    void shouldBeFoundAroundTheNodes(Simulation.Broken broken) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                Simulation.play(seed, new SafetyRules(), broken);
            } catch (RuntimeException | AssertionError found) {
                return;
            }
        }
        fail(broken + " was not found by " + SEEDS + " seeds");
    }

    private static Map<String, Supplier<SafetyRules>> rules() {
        Map<String, Supplier<SafetyRules>> rules = new LinkedHashMap<>();
        rules.put("skips the fence", () -> new SafetyRules() {
            @Override
            boolean isCurrent(long epoch, long latestKnown) {
                return true;
            }
        });
        rules.put("confirms before the force", () -> new SafetyRules() {
            @Override
            long confirmable(long forced, long end, boolean inMemory) {
                return end;
            }
        });
        rules.put("acknowledges before the force", () -> new SafetyRules() {
            @Override
            long committable(long forced, long end, long confirmed, boolean partnerCounts) {
                return super.committable(end, end, confirmed, partnerCounts);
            }
        });
        rules.put("acknowledges before the confirmation", () -> new SafetyRules() {
            @Override
            long committable(long forced, long end, long confirmed, boolean partnerCounts) {
                return forced;
            }
        });
        rules.put("forgets the cut", () -> new SafetyRules() {
            @Override
            boolean mustCut(long cut, long end) {
                return false;
            }
        });
        rules.put("keeps the tail of an old epoch", () -> new SafetyRules() {
            @Override
            long cut(EpochStarts leader, long leaderEnd, EpochStarts follower, long followerEnd) {
                return Math.min(leaderEnd, followerEnd);
            }
        });
        rules.put("acknowledges alone before the register says so", () -> new SafetyRules() {
            @Override
            boolean partnerCounts(Register known, @Nullable Register attempted, boolean joining, String partner) {
                boolean isDropped = attempted != null && !attempted.isInSync(partner);
                return !isDropped && super.partnerCounts(known, attempted, joining, partner);
            }
        });
        rules.put("counts a node that joins only after the answer", () -> new SafetyRules() {
            @Override
            boolean partnerCounts(Register known, @Nullable Register attempted, boolean joining, String partner) {
                return known.isInSync(partner);
            }
        });
        rules.put("admits a node that has not got everything", () -> new SafetyRules() {
            @Override
            boolean mayAdmit(long confirmed, long committed) {
                return true;
            }
        });
        rules.put("promotes itself without being in sync", () -> new SafetyRules() {
            @Override
            boolean mayPromote(Register known, String self, String storeId) {
                return known.storeId().equals(storeId);
            }
        });
        rules.put("promotes itself with another disk", () -> new SafetyRules() {
            @Override
            boolean mayPromote(Register known, String self, String storeId) {
                return known.isInSync(self);
            }
        });
        rules.put("keeps its epoch when it leads again", () -> new SafetyRules() {
            @Override
            Register promoted(Register known, String self, Set<String> inSync) {
                Register next = super.promoted(known, self, inSync);
                return known.leader().equals(self)
                        ? new Register(next.revision(), known.epoch(), self, next.inSync(), next.storeId())
                        : next;
            }
        });
        rules.put("takes an attempt without an answer for a failed one", () -> new SafetyRules() {
            @Override
            boolean isOver(boolean answered) {
                return true;
            }
        });
        rules.put("delivers without a lease", () -> new SafetyRules() {
            @Override
            long leaseEndNs(long heartbeatNs, long leaseNs) {
                return PairNode.NEEDS_NO_LEASE;
            }
        });
        rules.put("takes its lease for longer than it is", () -> new SafetyRules() {
            @Override
            long leaseEndNs(long heartbeatNs, long leaseNs) {
                return heartbeatNs + 3 * leaseNs;
            }
        });
        rules.put("promotes itself before its promise is over", () -> new SafetyRules() {
            @Override
            boolean isSilent(long silentNs, long timeoutNs) {
                return silentNs > timeoutNs / 3;
            }
        });
        rules.put("forgets the promises of the life before", () -> new SafetyRules() {
            @Override
            long lastPromiseNs(long startedNs, long timeoutNs) {
                return startedNs - 2 * timeoutNs;
            }
        });
        rules.put("answers the leader while it attempts to lead", () -> new SafetyRules() {
            @Override
            boolean answersLeader(boolean promoting) {
                return true;
            }
        });
        rules.put("leads by an attempt of the life before", () -> new SafetyRules() {
            @Override
            boolean begins(boolean attemptedInThisLife) {
                return true;
            }
        });
        rules.put("leads by force beside a leader that it hears", () -> new SafetyRules() {
            @Override
            boolean mayForce(long silentNs, long timeoutNs) {
                return true;
            }
        });
        rules.put("takes the epoch of another leader by force", () -> new SafetyRules() {
            @Override
            Register forced(Register known, String self) {
                Register next = super.forced(known, self);
                return new Register(next.revision(), known.epoch(), self, next.inSync(), next.storeId());
            }
        });
        rules.put("leads by force with another disk", () -> new SafetyRules() {
            @Override
            boolean mayForceStore(Register known, String storeId) {
                return true;
            }
        });
        rules.put("has a received store take its place before it is whole", () -> new SafetyRules() {
            @Override
            boolean isWhole(long received, long end) {
                return true;
            }
        });
        rules.put(
                "drops what is under way, and takes a store with a hole behind its checkpoint",
                () -> new SafetyRules() {
                    @Override
                    long keptWhileStarting(long shipped, long checkpoint) {
                        return Long.MAX_VALUE;
                    }

                    @Override
                    boolean mayLackUpTo(long position, long checkpoint) {
                        return true;
                    }
                });
        rules.put("takes records with a gap before them", () -> new SafetyRules() {
            @Override
            boolean follows(long from, long end) {
                return true;
            }
        });
        return rules;
    }
}
