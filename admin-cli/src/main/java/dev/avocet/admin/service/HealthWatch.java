package dev.avocet.admin.service;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for a broker to go and to come. Its health needs no password. */
final class HealthWatch {
    private static final String PATH = "/health";
    private static final long PAUSE_MS = 200;
    private static final long NOT_THERE = -1;

    private final Clock clock = Clock.system(ZoneOffset.UTC);
    private final AdminClient client;

    HealthWatch(AdminClient client) {
        this.client = client;
    }

    /** How long the process has run, in milliseconds; fails when no broker answers. */
    long uptimeMs() throws AdminException {
        try {
            return Documents.json(client.get(PATH).body()) instanceof Map<?, ?> health
                            && health.get("uptimeMs") instanceof Number uptime
                    ? uptime.longValue()
                    : NOT_THERE;
        } catch (IOException e) {
            throw new AdminException(ExitCode.REFUSED, "the answer of " + PATH + " is not JSON");
        }
    }

    /** False when it still answers after that time. */
    boolean awaitGone(long seconds) throws AdminException {
        return await(seconds, () -> uptimeOrNothing() == NOT_THERE);
    }

    /** A process that is younger than this one, and serves; false when there is none after that time. */
    boolean awaitYounger(long thanUptimeMs, long seconds) throws AdminException {
        long beganMs = clock.millis();
        return await(seconds, () -> {
            long uptimeMs = uptimeOrNothing();
            long wouldBeMs = thanUptimeMs + (clock.millis() - beganMs);
            return uptimeMs != NOT_THERE && uptimeMs < wouldBeMs - PAUSE_MS;
        });
    }

    /** Health is answered with an error while the broker starts and stops, and then counts as nothing. */
    private long uptimeOrNothing() throws AdminException {
        try {
            return uptimeMs();
        } catch (AdminException e) {
            if (e.exitCode() == ExitCode.UNREACHABLE || e.exitCode() == ExitCode.REFUSED) {
                return NOT_THERE;
            }
            throw e;
        }
    }

    private boolean await(long seconds, Condition condition) throws AdminException {
        long deadlineMs = clock.millis() + TimeUnit.SECONDS.toMillis(seconds);
        CountDownLatch never = new CountDownLatch(1);
        try {
            while (!condition.holds()) {
                if (clock.millis() - deadlineMs > 0 || never.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws AdminException;
    }
}
