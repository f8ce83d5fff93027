package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.check.SharedStreams;
import dev.avocet.bench.mqtt.engine.flow.FilterTree;
import dev.avocet.bench.mqtt.engine.flow.NamedSubscriptions;
import dev.avocet.bench.mqtt.engine.flow.OwnMessages;
import dev.avocet.bench.mqtt.engine.flow.OwnPublisher;
import dev.avocet.bench.mqtt.engine.flow.PublishStream;
import dev.avocet.bench.mqtt.engine.flow.Responder;
import dev.avocet.bench.mqtt.engine.flow.Role;
import dev.avocet.bench.mqtt.engine.flow.Subscriptions;
import dev.avocet.bench.mqtt.engine.plan.Door;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Certificate;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Consumers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Producers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Requests;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Server;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Stormers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.mqtt.engine.plan.TopicNames;
import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.run.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The clients of one share of a run, dealt round its lanes. Made before the run, and read by it. */
final class Population {
    private static final int SESSION_EXPIRY_SECONDS = 3600;
    static final long MAX_SHARED_WINDOW = 1L << 26;
    static final int INSTANCE_SHIFT = 20;

    private final RunPlan plan;
    private final Share share;
    private final List<Lane> lanes;
    private final @Nullable OwnMessages own;
    private final List<SimulatedClient> subscribers = new ArrayList<>();
    private final List<SimulatedClient> publishers = new ArrayList<>();
    private final List<SimulatedClient> idle = new ArrayList<>();

    Population(RunPlan plan, Share share, List<Lane> lanes) {
        this.plan = plan;
        this.share = share;
        this.lanes = lanes;
        own = lanes.get(0).own;
        FilterTree filters = new FilterTree();
        plan.consumers().elsewhere().forEach(filters::add);
        if (!plan.own().clients().isEmpty()) {
            new ListedPopulation(plan, share, lanes).addTo(subscribers, publishers, idle, filters);
            return;
        }
        addSubscribers(filters);
        addPublishers(filters);
        for (int i = 0; i < plan.idleClients(); i++) {
            if (share.hasSender(i)) {
                idle.add(new SimulatedClient(lane(i), connect("i" + i, true), Role.IDLE, door(i, "i" + i)));
            }
        }
    }

    /** Those that must be there before the first message. */
    List<SimulatedClient> subscribers() {
        return subscribers;
    }

    /** Publishers and those that do nothing. */
    List<SimulatedClient> others() {
        return Stream.concat(publishers.stream(), idle.stream()).toList();
    }

    /** Those that clients have of their own. */
    List<Certificate> certificates() {
        return all().map(client -> client.door().certificate())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    Stream<SimulatedClient> of(Lane lane) {
        return all().filter(client -> client.lane() == lane);
    }

    Stream<SimulatedClient> all() {
        return Stream.of(subscribers, publishers, idle).flatMap(List::stream);
    }

    /** Those of one lane that take part in storms. */
    List<SimulatedClient> stormers(Stormers who, Lane lane) {
        Stream<SimulatedClient> chosen =
                switch (who) {
                    case CONSUMERS -> subscribers.stream();
                    case PRODUCERS -> publishers.stream();
                    case IDLE -> idle.stream();
                    case ALL -> all();
                };
        return chosen.filter(client -> client.lane() == lane).toList();
    }

    private void addSubscribers(FilterTree filters) {
        Consumers consumers = plan.consumers();
        SharedStreams shared = sharedStreams();
        for (int i = 0; i < consumers.filters().clients(); i++) {
            Subscriptions subscriptions = new NamedSubscriptions(consumers.filters(), i, consumers.qos());
            subscriptions.topicFilters().forEach(filters::add);
            if (share.hasReceiver(i)) {
                Lane lane = lane(i);
                Role role = plan.requests() == null
                        ? Role.subscriber(subscriptions, account(lane, shared))
                        : Role.responder(subscriptions, responder(plan.requests()));
                subscribers.add(
                        new SimulatedClient(lane, connect("c" + i, consumers.isClean()), role, door(i, "c" + i)));
            }
        }
    }

    private ReceiverAccount account(Lane lane, @Nullable SharedStreams shared) {
        return plan.cutsOffPublishers() && !plan.consumers().isShared()
                ? ReceiverAccount.notingWhatIsMissing(lane.received)
                : new ReceiverAccount(lane.received, shared);
    }

    private Responder responder(Requests requests) {
        return new Responder(
                requests.replyPrefix(), plan.producers().qos(), plan.server().version() == ControlPackets.MQTT_5);
    }

    private @Nullable SharedStreams sharedStreams() {
        Producers producers = plan.producers();
        int streams = producers.topics().clients() * streamsPerClient();
        if (!plan.consumers().isShared()
                || !share.receives()
                || streams == 0
                || plan.load().instance() != 0) {
            return null;
        }
        return new SharedStreams(streams, (int) Math.min(1 << 16, MAX_SHARED_WINDOW / streams));
    }

    private void addPublishers(FilterTree filters) {
        Producers producers = plan.producers();
        for (int i = share.sends() ? share.index() : producers.topics().clients();
                i < producers.topics().clients();
                i += share.count()) {
            Lane lane = lane(i);
            PublishStream[] streams = new PublishStream[streamsPerClient()];
            for (int topic = 0; topic < streams.length; topic++) {
                streams[topic] = stream(i, topic, producers, filters);
            }
            SimulatedClient client = new SimulatedClient(
                    lane,
                    connect("p" + i, !plan.hasResendingPublishers()),
                    publisherRole(streams, i),
                    door(i, "p" + i));
            if (plan.cutsOffPublishers()) {
                client.cutOffNowAndThen();
            }
            lane.addPublisher(client);
            publishers.add(client);
        }
    }

    /** One for each of a client's topics, and of those that messages of one's own name. */
    private int streamsPerClient() {
        return plan.producers().topics().topicsPerClient()
                + (own == null ? 0 : own.topics().size());
    }

    private Role publisherRole(PublishStream[] streams, int client) {
        Producers producers = plan.producers();
        Requests requests = plan.requests();
        if (requests == null) {
            Role role = Role.publisher(streams, producers.qos());
            return own == null ? role : role.sending(new OwnPublisher(own, streams));
        }
        TopicNames replies = producers.topics().withPrefix(requests.replyPrefix());
        Lane lane = lane(client);
        return Role.requester(
                streams,
                new NamedSubscriptions(replies, client, producers.qos()),
                new ReceiverAccount(lane.received, null));
    }

    private PublishStream stream(int client, int topic, Producers producers, FilterTree filters) {
        int topics = producers.topics().topicsPerClient();
        String name = own == null || topic < topics
                ? producers.topics().of(client, topic)
                : own.topics().get(topic - topics);
        int number = plan.load().instance() << INSTANCE_SHIFT | client * streamsPerClient() + topic;
        PublishStream stream = new PublishStream(
                number, name, producers.qos(), producers.retain(), plan.server().version(), filters.matches(name));
        Requests requests = plan.requests();
        if (requests == null) {
            return stream;
        }
        String replyTo = requests.replyPrefix() + name;
        if (stream.copies() != 1 || filters.matches(replyTo) > 0) {
            throw new IllegalArgumentException("requests to " + name + " reach " + stream.copies()
                    + " responders, and replies to " + replyTo + " " + filters.matches(replyTo)
                    + "; they must reach 1 and 0: see --topic, --filter and --reply-prefix");
        }
        return plan.server().version() == ControlPackets.MQTT_5 ? stream.askingFor(replyTo) : stream;
    }

    private Door door(int number, String suffix) {
        Tls tls = plan.server().tls();
        return tls == null || !tls.isPerClient()
                ? Door.USUAL
                : Door.showing(tls.certificateOf(number, plan.server().clientIdPrefix() + suffix));
    }

    private ControlPackets.Connect connect(String suffix, boolean isClean) {
        return connect(plan.server(), suffix, isClean);
    }

    static ControlPackets.Connect connect(Server server, String suffix, boolean isClean) {
        return new ControlPackets.Connect(
                server.version(),
                server.clientIdPrefix() + suffix,
                isClean,
                server.keepAliveSeconds(),
                isClean ? 0 : SESSION_EXPIRY_SECONDS,
                server.userName(),
                server.password());
    }

    private Lane lane(int number) {
        return lanes.get(number / share.count() % lanes.size());
    }
}
