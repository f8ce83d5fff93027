package dev.avocet.bench.jms.plan;

/** What goes on at each broker of a run. */
public sealed interface TrafficPlan permits FlowPlan, RequestPlan {
    /** How many threads send. */
    int senders();
}
