package dev.avocet.bench.jms.plan;

import static java.util.Locale.ROOT;

/**
 * Requesters send to a request queue and wait for the reply; responders answer. Each has a connection of its own. The
 * n-th requester and the n-th responder use the n-th pair of queues, counted round.
 *
 * @param base name of the queues: {@code base.request.00000000}, {@code base.reply.00000000}
 * @param pairs of a request queue and a reply queue
 * @param transacted both sides commit each message
 * @param replyTimeoutMs after so long a reply is lost
 */
public record RequestPlan(
        String base,
        int pairs,
        int requesters,
        int responders,
        ReplyTo replyTo,
        boolean persistent,
        boolean transacted,
        int replyTimeoutMs)
        implements TrafficPlan {
    public RequestPlan {
        requirePositive("queue pairs", pairs);
        requirePositive("requesters", requesters);
        requirePositive("reply timeout", replyTimeoutMs);
        if (responders < Math.min(pairs, requesters)) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "%d responders for %d queue pairs: some would have none",
                    responders,
                    Math.min(pairs, requesters)));
        }
    }

    @Override
    public int senders() {
        return requesters;
    }

    public String requestQueue(int client) {
        return String.format(ROOT, "%s.request.%08d", base, client % pairs);
    }

    public String replyQueue(int client) {
        return String.format(ROOT, "%s.reply.%08d", base, client % pairs);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(String.format(ROOT, "%s is %d: 1 or more", name, value));
        }
    }
}
