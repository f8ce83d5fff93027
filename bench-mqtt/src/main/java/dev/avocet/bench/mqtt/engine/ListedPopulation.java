package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.check.SharedStreams;
import dev.avocet.bench.mqtt.engine.flow.FilterOverlap;
import dev.avocet.bench.mqtt.engine.flow.FilterTree;
import dev.avocet.bench.mqtt.engine.flow.ListedSubscriptions;
import dev.avocet.bench.mqtt.engine.flow.OwnMessages;
import dev.avocet.bench.mqtt.engine.flow.OwnPublisher;
import dev.avocet.bench.mqtt.engine.flow.PublishStream;
import dev.avocet.bench.mqtt.engine.flow.Role;
import dev.avocet.bench.mqtt.engine.plan.Door;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Certificate;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.mqtt.files.ListedClient;
import dev.avocet.bench.mqtt.files.ListedTopic;
import dev.avocet.bench.mqtt.wire.ControlPackets.Connect;
import dev.avocet.bench.run.Share;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a list that belong to one share of a run, dealt round its lanes. Made before the run, by its thread.
 */
final class ListedPopulation {
    private static final int NO_LOCAL = 4;
    private static final int USUAL_PORT = 1883;

    private final RunPlan plan;
    private final Share share;
    private final List<Lane> lanes;
    private final @Nullable OwnMessages own;
    private final List<ListedSubscriptions> subscriptions = new ArrayList<>();
    private final Map<String, InetAddress> hosts = new HashMap<>();
    private final boolean hasCertificates;
    private int streamCount;

    ListedPopulation(RunPlan plan, Share share, List<Lane> lanes) {
        this.plan = plan;
        this.share = share;
        this.lanes = lanes;
        own = lanes.get(0).own;
        hasCertificates = plan.own().hasCertificates();
    }

    /**
     * Adds them to those whom they belong to: who subscribes, whether or not it publishes, who only publishes, and who
     * does nothing.
     */
    void addTo(
            List<SimulatedClient> subscribers,
            List<SimulatedClient> publishers,
            List<SimulatedClient> idle,
            FilterTree filters) {
        List<ListedClient> listed = plan.own().clients();
        for (int i = 0; i < listed.size(); i++) {
            ListedSubscriptions each = ListedSubscriptions.of(listed.get(i).subscriptions());
            FilterOverlap.refuse(name(i), each.topicFilters());
            if (plan.own().positions().has(i)) {
                each.topicFilters().forEach(filters::add);
            }
            subscriptions.add(each);
        }
        SharedStreams shared = sharedStreams();
        int senders = 0;
        int others = 0;
        for (int i = 0; i < listed.size(); i++) {
            boolean isSender = !listed.get(i).publishTopics().isEmpty();
            boolean isMine = plan.own().positions().has(i)
                    && (isSender ? share.hasSender(senders++) : share.hasReceiver(others++));
            PublishStream[] streams = streams(i, filters);
            if (isMine) {
                SimulatedClient client = client(i, streams, shared);
                boolean isSubscriber = subscriptions.get(i).count() > 0;
                (isSubscriber ? subscribers : isSender ? publishers : idle).add(client);
                if (isSender) {
                    client.lane().addPublisher(client);
                }
            }
        }
    }

    private SimulatedClient client(int index, PublishStream[] streams, @Nullable SharedStreams shared) {
        Lane lane = lanes.get(index / share.count() % lanes.size());
        ListedSubscriptions its = subscriptions.get(index);
        int qos = 0;
        for (PublishStream stream : streams) {
            qos = Math.max(qos, stream.qos());
        }
        ReceiverAccount account = its.count() == 0 ? null : new ReceiverAccount(lane.received, shared);
        Role role = new Role(qos, streams, null, its.count() == 0 ? null : its, account, null, false);
        if (own != null && streams.length > 0) {
            role = role.sending(new OwnPublisher(own, streams));
        }
        return new SimulatedClient(lane, connect(index), role, door(index));
    }

    private Connect connect(int index) {
        return plan.own().clients().get(index).connect(Population.connect(plan.server(), "l" + index, true));
    }

    private String name(int index) {
        return connect(index).clientId();
    }

    /** Numbered throughout the list, in whichever share they are. */
    private PublishStream[] streams(int index, FilterTree filters) {
        ListedClient listed = plan.own().clients().get(index);
        List<PublishStream> streams = new ArrayList<>();
        for (ListedTopic topic : listed.publishTopics()) {
            for (String name : topic.names()) {
                streams.add(stream(index, name, topic.qos(), topic.retain(), filters)
                        .with(topic.properties()));
            }
        }
        if (own != null && !streams.isEmpty()) {
            // What a message goes to by its own topic has the QoS of the client's first one, unless it says that too.
            ListedTopic first = listed.publishTopics().get(0);
            own.topics().forEach(name -> streams.add(stream(index, name, first.qos(), first.retain(), filters)));
        }
        return streams.toArray(PublishStream[]::new);
    }

    private PublishStream stream(int index, String name, int qos, boolean retain, FilterTree filters) {
        int number = plan.load().instance() << Population.INSTANCE_SHIFT | streamCount++;
        int copies = filters.matches(name) - unheard(subscriptions.get(index), name);
        return new PublishStream(number, name, qos, retain, connect(index).version(), copies);
    }

    /** How many of a client's own subscriptions do not get what it publishes itself [MQTT-3.8.3-3]. */
    private int unheard(ListedSubscriptions its, String name) {
        FilterTree local = new FilterTree();
        boolean isAny = false;
        for (int i = 0; i < its.count(); i++) {
            if ((its.options(i) & NO_LOCAL) != 0) {
                local.add(its.topicFilters().get(i));
                isAny = true;
            }
        }
        return isAny ? local.matches(name) : 0;
    }

    /**
     * Where all of the list share one subscription; otherwise who shares with whom would have to be known of each
     * message.
     */
    private @Nullable SharedStreams sharedStreams() {
        long streams = plan.own().clients().stream()
                .flatMap(client -> client.publishTopics().stream())
                .mapToLong(topic ->
                        topic.names().size() + (own == null ? 0 : own.topics().size()))
                .sum();
        if (!plan.own().isOneShare()
                || !share.receives()
                || streams == 0
                || plan.load().instance() != 0) {
            return null;
        }
        return new SharedStreams((int) streams, (int)
                Math.max(64, Math.min(1 << 16, Population.MAX_SHARED_WINDOW / streams)));
    }

    private Door door(int index) {
        ListedClient listed = plan.own().clients().get(index);
        String host = listed.host();
        Integer port = listed.port();
        InetSocketAddress address = host == null
                ? null
                : new InetSocketAddress(
                        hosts.computeIfAbsent(host, ListedPopulation::address), port == null ? USUAL_PORT : port);
        return new Door(address, listed.isTls(), listed.isWebSocket(), certificate(index));
    }

    /** Its own, or else what the options say; null where all clients show the same, or nothing. */
    private @Nullable Certificate certificate(int index) {
        ListedClient listed = plan.own().clients().get(index);
        Tls tls = plan.server().tls();
        String file = listed.certificate();
        String key = listed.key();
        if (file == null || key == null) {
            boolean isOfItsOwn = tls != null && (tls.isPerClient() || hasCertificates);
            return isOfItsOwn && tls != null ? tls.certificateOf(index, name(index)) : null;
        }
        if (tls == null ? !Boolean.TRUE.equals(listed.isTls()) : Boolean.FALSE.equals(listed.isTls())) {
            throw new IllegalArgumentException("--client-list: " + name(index)
                    + " has a clientCertPath, which only TLS shows: give --tls, or useTLS with that client");
        }
        if (tls != null && tls.pskFile() != null) {
            throw new IllegalArgumentException(
                    "--client-list: with pre-shared keys no client shows a certificate; leave out --psk-file,"
                            + " or the clientCertPath of " + name(index));
        }
        return new Certificate(file, key);
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("--client-list: no host is called " + host, unknown);
        }
    }
}
