package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.latency.LatencySummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The latencies of a run by kind, of all its lanes together. Owned by the thread of the run. */
final class Histories {
    private final List<Lane> lanes;
    private final String messageKind;
    final LatencyHistory message;
    final LatencyHistory acknowledge;
    final LatencyHistory connect;
    final LatencyHistory transport;
    final LatencyHistory full;
    final LatencyHistory resumed;
    final LatencyHistory connack;
    final LatencyHistory subscribe;
    final LatencyHistory reconnect;

    /** @param messageKind what a message's latency is called: where there are requests it is the round trip */
    Histories(List<Lane> lanes, String messageKind) {
        this.lanes = lanes;
        this.messageKind = messageKind;
        message = of(latencies -> latencies.message);
        acknowledge = of(latencies -> latencies.acknowledge);
        connect = of(latencies -> latencies.connect);
        transport = of(latencies -> latencies.transport);
        full = of(latencies -> latencies.full);
        resumed = of(latencies -> latencies.resumed);
        connack = of(latencies -> latencies.connack);
        subscribe = of(latencies -> latencies.subscribe);
        reconnect = of(latencies -> latencies.reconnect);
    }

    private LatencyHistory of(Function<LaneLatencies, LatencyRecorder> recorder) {
        return new LatencyHistory(
                lanes.stream().map(lane -> recorder.apply(lane.latencies)).toList());
    }

    void forget() {
        Stream.of(message, acknowledge, connect, transport, full, resumed, connack, subscribe, reconnect)
                .forEach(LatencyHistory::forget);
    }

    void endIntervals() {
        Stream.of(acknowledge, connect, transport, full, resumed, connack, subscribe, reconnect)
                .forEach(LatencyHistory::endInterval);
    }

    Map<String, LatencySummary> totals() {
        Map<String, LatencySummary> totals = new LinkedHashMap<>();
        totals.put(messageKind, message.total());
        totals.put("acknowledge", acknowledge.total());
        totals.put("connect", connect.total());
        totals.put("transport", transport.total());
        totals.put("full", full.total());
        totals.put("resumed", resumed.total());
        totals.put("connack", connack.total());
        totals.put("subscribe", subscribe.total());
        totals.put("reconnect", reconnect.total());
        totals.values().removeIf(latency -> latency.samples() == 0);
        return totals;
    }
}
