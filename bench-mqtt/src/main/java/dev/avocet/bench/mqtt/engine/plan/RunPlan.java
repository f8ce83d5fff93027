package dev.avocet.bench.mqtt.engine.plan;

import dev.avocet.bench.mqtt.files.ListedClient;
import dev.avocet.bench.mqtt.files.ListedFilter;
import dev.avocet.bench.mqtt.files.OwnMessage;
import dev.avocet.bench.mqtt.files.Positions;
import dev.avocet.bench.run.PassCriteria;
import dev.avocet.bench.run.RateSchedule;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All that is to be known before a run. */
public record RunPlan(
        String name,
        Server server,
        Producers producers,
        Consumers consumers,
        int idleClients,
        Load load,
        Timing timing,
        PassCriteria criteria,
        @Nullable Requests requests,
        @Nullable Storms storms,
        Own own) {

    private static final String SHARE = "$share/";
    private static final String NUMBER = "{i}";
    private static final String IDENTIFIER = "{id}";

    /** A plan for messages that go one way, to clients that stay. */
    public RunPlan(
            String name,
            Server server,
            Producers producers,
            Consumers consumers,
            int idleClients,
            Load load,
            Timing timing,
            PassCriteria criteria) {
        this(name, server, producers, consumers, idleClients, load, timing, criteria, null, null, Own.NONE);
    }

    /**
     * Whom to connect to, and how.
     *
     * @param brokers taken in turn
     * @param version 3, 4 (MQTT 3.1.1) or 5
     * @param sourceAddresses own addresses, taken in turn; none leaves it to the system
     * @param connectionsPerSecond 0 for as fast as it goes
     * @param maxConnecting how many may be on their way at once
     * @param connectTimeoutSeconds for how long the target may be silent when no connection was made yet
     */
    public record Server(
            List<BrokerAddress> brokers,
            int version,
            @Nullable Tls tls,
            @Nullable String webSocketPath,
            @Nullable String userName,
            @Nullable String password,
            String clientIdPrefix,
            int keepAliveSeconds,
            List<InetAddress> sourceAddresses,
            double connectionsPerSecond,
            int maxConnecting,
            int connectTimeoutSeconds) {}

    /**
     * How to connect with TLS.
     *
     * @param protocols such as TLSv1.3; none for the library's own choice, as with the cipher suites
     * @param certificateFile what clients show of themselves, PEM; with {i} for a client's number or {id} for its
     *     identifier, each shows its own; null for nothing
     * @param keyFile the key to it, PEM; the same
     * @param pskFile identities and keys that both sides have, instead of certificates; null for none
     * @param resumes whether clients resume the sessions of those that were there before
     */
    public record Tls(
            @Nullable String trustFile,
            List<String> protocols,
            List<String> cipherSuites,
            @Nullable String certificateFile,
            @Nullable String keyFile,
            @Nullable String pskFile,
            boolean resumes) {
        public Tls {
            if ((certificateFile == null) != (keyFile == null)) {
                throw new IllegalArgumentException("a client certificate needs its key, and a key its certificate");
            }
            if (keyFile != null && hasPlaceholder(keyFile) && !hasPlaceholder(certificateFile)) {
                throw new IllegalArgumentException(
                        "one certificate has one key: put {i} or {id} into --client-certificate too,"
                                + " or leave it out of --client-key");
            }
            if (pskFile != null && (trustFile != null || certificateFile != null)) {
                throw new IllegalArgumentException("with pre-shared keys no client shows a certificate;"
                        + " leave out --trust-file, --client-certificate and --client-key, or --psk-file");
            }
            if (pskFile != null && resumes) {
                throw new IllegalArgumentException(
                        "--tls-resume is for servers that show a certificate; leave it out, or --psk-file");
            }
        }

        private static boolean hasPlaceholder(@Nullable String file) {
            return file != null && (file.contains(NUMBER) || file.contains(IDENTIFIER));
        }

        /** Whether each client shows a certificate of its own. */
        public boolean isPerClient() {
            return hasPlaceholder(certificateFile);
        }

        /** Null when it shows nothing. */
        public @Nullable Certificate certificateOf(int number, String clientId) {
            return certificateFile == null || keyFile == null
                    ? null
                    : new Certificate(named(certificateFile, number, clientId), named(keyFile, number, clientId));
        }

        private static String named(String pattern, int number, String clientId) {
            return pattern.replace(NUMBER, String.valueOf(number)).replace(IDENTIFIER, clientId);
        }

        /** With certificates. */
        public Tls(
                @Nullable String trustFile,
                List<String> protocols,
                List<String> cipherSuites,
                @Nullable String certificateFile,
                @Nullable String keyFile) {
            this(trustFile, protocols, cipherSuites, certificateFile, keyFile, null);
        }

        /** Each handshake is a full one. */
        public Tls(
                @Nullable String trustFile,
                List<String> protocols,
                List<String> cipherSuites,
                @Nullable String certificateFile,
                @Nullable String keyFile,
                @Nullable String pskFile) {
            this(trustFile, protocols, cipherSuites, certificateFile, keyFile, pskFile, false);
        }
    }

    /** What one client shows of itself, and the key to it: PEM files. */
    public record Certificate(String file, String keyFile) {}

    public record Producers(TopicNames topics, int qos, boolean retain) {}

    /**
     * @param isClean whether their sessions end with their connections
     * @param elsewhere topic filters of those who belong to the run and are no clients of this harness
     */
    public record Consumers(TopicNames filters, int qos, boolean isClean, List<String> elsewhere) {
        public Consumers(TopicNames filters, int qos, boolean isClean) {
            this(filters, qos, isClean, List.of());
        }

        public boolean isShared() {
            return filters.pattern().startsWith(SHARE);
        }
    }

    /**
     * How much.
     *
     * @param window how many arrivals may be outstanding, in the whole run; 0 for any number
     * @param maxInFlight unacknowledged messages of a publisher at QoS 1 and 2
     * @param batch messages that a publisher may send when it is its turn
     */
    public record Load(
            RateSchedule schedule,
            int minSizeBytes,
            int maxSizeBytes,
            long window,
            int maxInFlight,
            int batch,
            int threads,
            int instance) {}

    /**
     * Makes requesters of the publishers and responders of the subscribers.
     *
     * @param replyPrefix replies go to this and the request's topic name
     */
    public record Requests(String replyPrefix) {}

    /** Who takes part in storms. */
    public enum Stormers {
        CONSUMERS,
        PRODUCERS,
        IDLE,
        ALL
    }

    /**
     * Clients that leave in waves, and come back.
     *
     * @param everyNs from one wave to the next
     * @param clients how many leave in a wave, of all lanes
     * @param isClean whether they say DISCONNECT, or only close their sockets
     * @param awayNs how long they stay away at least
     * @param returnsPerSecond 0 for all at once
     * @param resends whether publishers that close their sockets keep their sessions, and send again what was not
     *     acknowledged
     */
    public record Storms(
            long everyNs,
            Stormers who,
            int clients,
            boolean isClean,
            long awayNs,
            double returnsPerSecond,
            boolean resends) {
        /** Where publishers send nothing again. */
        public Storms(long everyNs, Stormers who, int clients, boolean isClean, long awayNs, double returnsPerSecond) {
            this(everyNs, who, clients, isClean, awayNs, returnsPerSecond, false);
        }

        public Storms returningAt(double perSecond) {
            return new Storms(everyNs, who, clients, isClean, awayNs, perSecond, resends);
        }

        public boolean haveConsumers() {
            return who == Stormers.CONSUMERS || who == Stormers.ALL;
        }

        boolean haveProducers() {
            return who == Stormers.PRODUCERS || who == Stormers.ALL;
        }
    }

    /**
     * What files say.
     *
     * @param clients who connects, instead of publishers, subscribers and others by their numbers; none where there is
     *     no list
     * @param messages what publishers send, instead of what the harness makes; none where it makes them
     * @param positions who of the list connects; those who do not keep their numbers
     */
    public record Own(List<ListedClient> clients, List<OwnMessage> messages, Positions positions) {
        public static final Own NONE = new Own(List.of(), List.of());

        /** With the whole list. */
        public Own(List<ListedClient> clients, List<OwnMessage> messages) {
            this(clients, messages, Positions.ALL);
        }

        List<ListedClient> chosen() {
            return IntStream.range(0, clients.size())
                    .filter(positions::has)
                    .mapToObj(clients::get)
                    .toList();
        }

        public boolean hasCertificates() {
            return chosen().stream().anyMatch(client -> client.certificate() != null);
        }

        long publishers() {
            return chosen().stream()
                    .filter(client -> !client.publishTopics().isEmpty())
                    .count();
        }

        /** Whether all subscriptions are one that its clients share. */
        public boolean isOneShare() {
            List<String> filters = chosen().stream()
                    .flatMap(client -> client.subscriptions().stream())
                    .map(ListedFilter::topicStr)
                    .distinct()
                    .toList();
            return filters.size() == 1 && filters.get(0).startsWith(SHARE);
        }

        /** Whether some subscriptions are shared, but not all of them one. */
        public boolean hasSeveralShares() {
            return !isOneShare()
                    && chosen().stream()
                            .flatMap(client -> client.subscriptions().stream())
                            .anyMatch(filter -> filter.topicStr().startsWith(SHARE));
        }
    }

    /** @param drainNs how long to wait for late messages after the last one that came */
    public record Timing(long warmUpNs, long measureNs, long drainNs, long snapshotNs) {}

    /** The same with requests and replies instead of messages. */
    public RunPlan withRequests(Requests newRequests) {
        boolean mayOvertake = consumers.isShared() && consumers.filters().clients() > 1;
        PassCriteria newCriteria = mayOvertake ? criteria.withOrderWanted(false) : criteria;
        return new RunPlan(
                name, server, producers, consumers, idleClients, load, timing, newCriteria, newRequests, storms, own);
    }

    /**
     * The same with clients that come and go. What is sent again at QoS 1, by the server or by publishers, is no fault
     * then.
     */
    public RunPlan withStorms(Storms newStorms) {
        boolean mayServerResend = newStorms.haveConsumers() && Math.min(producers.qos(), consumers.qos()) == 1;
        boolean mayResend = mayServerResend || (newStorms.resends() && producers.qos() == 1);
        PassCriteria newCriteria = mayResend ? criteria.withDuplicatesAllowed(true) : criteria;
        return new RunPlan(
                name, server, producers, consumers, idleClients, load, timing, newCriteria, requests, newStorms, own);
    }

    /** The same with what files say. */
    public RunPlan withOwn(Own newOwn) {
        return new RunPlan(
                name, server, producers, consumers, idleClients, load, timing, criteria, requests, storms, newOwn);
    }

    /** How many connections it makes. */
    public int clients() {
        return own.clients().isEmpty()
                ? producers.topics().clients() + consumers.filters().clients() + idleClients
                : own.chosen().size();
    }

    /** How many of them publish. */
    public int publishers() {
        return own.clients().isEmpty() ? producers.topics().clients() : (int) own.publishers();
    }

    public boolean wantsMessages() {
        return publishers() > 0;
    }

    /** Whether publishers close their sockets with messages under way. */
    public boolean cutsOffPublishers() {
        return storms != null
                && storms.haveProducers()
                && !storms.isClean()
                && producers.topics().clients() > 0;
    }

    /** Whether they keep their sessions, and send again what was not acknowledged. */
    public boolean hasResendingPublishers() {
        return storms != null && storms.resends() && cutsOffPublishers();
    }

    /**
     * Whether a run of several parties can be checked.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public void requireThatPartiesCanCheck() {
        if (cutsOffPublishers() && !hasResendingPublishers()) {
            throw new IllegalArgumentException(
                    "publishers that close their sockets can be checked by one mqttbench only, which sees"
                            + " both ends; give --storm-resend or --storm-leave disconnect, or leave out the others");
        }
    }

    /** Null when no client connects with TLS. */
    public @Nullable Tls tlsOfAny() {
        boolean isListed = own.chosen().stream().anyMatch(client -> Boolean.TRUE.equals(client.isTls()));
        return server.tls() == null && isListed ? new Tls(null, List.of(), List.of(), null, null) : server.tls();
    }
}
