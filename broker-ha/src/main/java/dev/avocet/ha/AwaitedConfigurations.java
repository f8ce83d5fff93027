package dev.avocet.ha;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Changes of the configuration that are answered once the standby has them on its disk: with an empty text, or with
 * what keeps the standby from having them. Thread of the pair.
 */
final class AwaitedConfigurations {
    /** A change that belongs to the configuration of that number, or to an earlier one. */
    private record Sent(long number, CompletableFuture<String> answer) {}

    private final List<CompletableFuture<String>> fresh = new ArrayList<>();
    private final List<CompletableFuture<String>> asked = new ArrayList<>();
    private final Deque<Sent> sent = new ArrayDeque<>();
    private long kept;

    void add(CompletableFuture<String> answer) {
        fresh.add(answer);
    }

    /** The host is asked for its configuration, which has every change up to now. */
    void asked() {
        asked.addAll(fresh);
        fresh.clear();
    }

    /** The host has answered, and the standby gets that under this number, unless it has it. */
    void taken(long number) {
        asked.forEach(answer -> sent.add(new Sent(number, answer)));
        asked.clear();
        kept(kept, "");
    }

    /** The standby will not get it. */
    void notTaken(String why) {
        asked.forEach(answer -> answer.complete(why));
        asked.clear();
    }

    /** The standby has what was sent up to that number; or it could not keep that one. */
    void kept(long number, String problem) {
        if (problem.isEmpty()) {
            kept = Math.max(kept, number);
        }
        while (!sent.isEmpty() && sent.element().number() <= number) {
            sent.remove().answer().complete(problem);
        }
    }

    /** The standby cannot be promoted, so that no change waits for it. */
    void standbyIsOut() {
        while (!sent.isEmpty()) {
            sent.remove().answer().complete("");
        }
    }

    /** This node leads no more. */
    void end(String why) {
        fresh.forEach(answer -> answer.complete(why));
        fresh.clear();
        notTaken(why);
        while (!sent.isEmpty()) {
            sent.remove().answer().complete(why);
        }
    }
}
