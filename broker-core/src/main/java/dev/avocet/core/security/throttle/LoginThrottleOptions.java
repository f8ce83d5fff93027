package dev.avocet.core.security.throttle;

import java.util.Comparator;
import java.util.List;

/**
 * How logins are put off that come after failed ones.
 *
 * @param steps after how many failures a login waits how long, in any order; none for no throttling
 * @param forgiveAfterMs one failure is forgiven each time that this much has passed, in milliseconds
 * @param maxTracked addresses, and user names, whose failures are counted; beyond it the ones that failed least lately
 *     are forgotten
 * @param maxWaiting logins of the whole broker that wait at a time; more are refused
 * @param maxWaitingPerAddress of those, how many of one address
 */
public record LoginThrottleOptions(
        List<Step> steps, long forgiveAfterMs, int maxTracked, int maxWaiting, int maxWaitingPerAddress) {
    /** Stays below the ten seconds in which a connection has to say who it is. */
    public static final LoginThrottleOptions DEFAULT = new LoginThrottleOptions(
            List.of(new Step(5, 500), new Step(10, 1_000), new Step(25, 2_500), new Step(50, 5_000)),
            60_000,
            10_000,
            1_024,
            16);

    /** No login waits. */
    public static final LoginThrottleOptions OFF = new LoginThrottleOptions(List.of(), 60_000, 1, 1, 1);

    public LoginThrottleOptions {
        steps = steps.stream().sorted(Comparator.comparingInt(Step::failures)).toList();
    }

    /** How long a login waits after that many failures, in milliseconds. */
    long delayMs(int failures) {
        long delayMs = 0;
        for (Step step : steps) {
            if (failures >= step.failures) {
                delayMs = step.delayMs;
            }
        }
        return delayMs;
    }

    /** More failures than the last step asks for are not counted, so that they are forgiven in foreseeable time. */
    int maxFailures() {
        return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).failures;
    }

    /** From so many failures on, so long, in milliseconds. */
    public record Step(int failures, long delayMs) {}
}
