package dev.avocet.mqtt.connection;

import dev.avocet.core.config.object.policy.ExpectedMessageRate;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.AuthenticationExchange.Step;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.login.WebCredentials;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.Will;
import dev.avocet.mqtt.admission.ClientLimits;
import dev.avocet.mqtt.admission.ConnectAuthorization;
import dev.avocet.mqtt.admission.ConnectChecks;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.admission.RateWindows;
import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.ConnAckBuilder;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.session.MqttSession;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * From CONNECT to CONNACK: checks what the client asks for, who it is, and brings its session. Afterwards it handles
 * re-authentication. One per connection, on its loop.
 */
final class ConnectProcess {
    private static final int ASSIGNED_ID_BYTES = 16;

    private static final String STANDBY_AWAY =
            "the standby does not answer, and has to have sessions that have to survive (MinInSync)";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final MqttConnection connection;
    private final MqttContext context;
    private final IoLoop loop;
    private WebCredentials web;
    private @Nullable ProtocolVersion version;
    private @Nullable Connect connect;
    private @Nullable AuthenticationExchange exchange;
    private String clientId = "";
    private boolean idAssigned;
    private byte @Nullable [] finalAuthenticationData;
    // once the client is known
    private @Nullable AccessRights rights;
    private long willExpirySeconds;

    ConnectProcess(MqttConnection connection, MqttContext context, IoLoop loop, WebCredentials web) {
        this.web = web;
        this.connection = connection;
        this.context = context;
        this.loop = loop;
    }

    /** The version to answer in, or null while the client has not said CONNECT. */
    @Nullable ProtocolVersion version() {
        return version;
    }

    void onConnect(int header, byte[] bytes, int from, int to) throws MalformedPacketException {
        Connect packet = PacketDecoder.decodeConnect(header, bytes, from, to);
        connect = packet;
        version = packet.version();
        clientId = packet.clientId();
        connection.identify(
                packet.version(),
                limitsOf(packet, RateWindows.of(ExpectedMessageRate.DEFAULT, context.options())),
                clientId);
        connection.traceReceived(header, bytes, from, to);
        ConnAck refusal = new ConnectChecks(context, loop, connection.leniency().controlCharacters()).refusalOf(packet);
        if (refusal != null) {
            connection.refuse(refusal, String.valueOf(refusal.reasonString()));
            return;
        }
        if (clientId.isEmpty()) {
            clientId = newClientId();
            idAssigned = true;
            connection.identify(
                    packet.version(),
                    limitsOf(packet, RateWindows.of(ExpectedMessageRate.DEFAULT, context.options())),
                    clientId);
        }
        authenticate(packet);
    }

    /**
     * The first packet was not understood: an unknown version is told so in a form that its sender knows
     * [MQTT-3.1.2-2].
     */
    void onMalformed(MalformedPacketException e, byte[] bytes, int from, int to) {
        version = from < to ? PacketDecoder.answerVersion(bytes, from, to) : null;
        if (version != null) {
            connection.identify(version, new ClientLimits(version, 1, PacketFramer.MAX_PACKET_SIZE_BYTES, true), "");
        }
        connection.fail(e.reasonCode(), e.reason());
    }

    /** A step of the exchange that CONNECT began. */
    void onAuth(Auth packet) {
        AuthenticationExchange running = exchange;
        if (running == null || !isSameMethod(packet) || packet.reasonCode() != ReasonCode.CONTINUE_AUTHENTICATION) {
            connection.fail(ReasonCode.PROTOCOL_ERROR, "AUTH does not belong to an exchange [MQTT-4.12.0-5]");
            return;
        }
        step(running, packet, this::advance);
    }

    /** The client proves again who it is, while everything else goes on [MQTT-4.12.1-1]. */
    void onReauthenticate(Auth packet) {
        Connect connected = connect;
        if (connected == null || connected.authenticationMethod() == null || !isSameMethod(packet)) {
            connection.fail(ReasonCode.PROTOCOL_ERROR, "AUTH with another method than CONNECT had [MQTT-4.12.1-1]");
            return;
        }
        if (packet.reasonCode() == ReasonCode.REAUTHENTICATE) {
            exchange = context.authenticator().begin(connected.authenticationMethod(), requestOf(connected), loop);
        }
        AuthenticationExchange running = exchange;
        if (running == null || packet.reasonCode() == ReasonCode.SUCCESS) {
            connection.fail(ReasonCode.PROTOCOL_ERROR, "AUTH does not belong to an exchange");
            return;
        }
        step(running, packet, this::advanceAgain);
    }

    private void advanceAgain(Step step) {
        if (step instanceof Step.Continue next) {
            sendAuth(ReasonCode.CONTINUE_AUTHENTICATION, next.serverData());
        } else if (step instanceof Step.Success success && isSameUser(success.identity())) {
            exchange = null;
            known(success.identity(), success.until());
            requireRights().changed();
            sendAuth(ReasonCode.SUCCESS, success.serverData());
        } else {
            loop.counters().increment(Counter.AUTHENTICATION_FAILURES);
            connection.fail(ReasonCode.NOT_AUTHORIZED, "re-authentication failed [MQTT-4.12.1-2]");
        }
    }

    /** A session does not change hands: a client that wants another identity connects again. */
    private boolean isSameUser(ClientIdentity proved) {
        return Objects.equals(proved.userName(), connection.identity().userName());
    }

    /** Takes a step, and nothing more from the client before its answer. */
    private void step(AuthenticationExchange running, @Nullable Auth packet, Consumer<Step> then) {
        byte[] data = packet == null ? requireConnect().authenticationData() : packet.authenticationData();
        connection.pauseReading();
        running.step(data, step -> {
            if (!connection.isClosed()) {
                connection.resumeReading();
                then.accept(step);
            }
        });
    }

    private void authenticate(Connect packet) {
        connection.peer().claims(packet.userName());
        if (packet.authenticationMethod() == null) {
            connection.await(ConnectionState.AUTHENTICATING);
            context.authenticator().authenticate(requestOf(packet), loop, this::onLogin);
            return;
        }
        AuthenticationExchange begun =
                context.authenticator().begin(packet.authenticationMethod(), requestOf(packet), loop);
        if (begun == null) {
            connection.refuse(
                    ConnAck.builder(ReasonCode.BAD_AUTHENTICATION_METHOD)
                            .reasonString(passwordAdvice())
                            .build(),
                    "unknown authentication method [MQTT-4.12.0-1]");
            return;
        }
        exchange = begun;
        connection.become(ConnectionState.AUTHENTICATING);
        step(begun, null, this::advance);
    }

    private LoginRequest requestOf(Connect packet) {
        return new LoginRequest(clientId, packet.userName(), packet.password(), connection.origin(), web);
    }

    private void advance(Step step) {
        if (step instanceof Step.Continue next) {
            sendAuth(ReasonCode.CONTINUE_AUTHENTICATION, next.serverData());
        } else if (step instanceof Step.Success success) {
            exchange = null;
            finalAuthenticationData = success.serverData();
            known(success.identity(), success.until());
            authorize();
        } else {
            LoginRefusal reason = ((Step.Failure) step).reason();
            refuse(reason, ReasonCode.NOT_AUTHORIZED, reason.text(), passwordAdvice());
        }
    }

    private void known(ClientIdentity identity, @Nullable Instant until) {
        web = WebCredentials.NONE; // cookies are long, and of no more use
        connection.peer().identity(identity);
        connection.loginHolds(until);
    }

    /** For a client that has authenticated in a way that not every user can; the same for all, as names are secret. */
    private @Nullable String passwordAdvice() {
        return context.authenticator().needsPassword()
                ? "users of the directory log in with user name and password in CONNECT, without an authentication method"
                : null;
    }

    private void onLogin(LoginResult result) {
        if (connection.isClosed()) {
            return;
        }
        if (result instanceof LoginResult.Granted granted) {
            known(granted.identity(), granted.until());
            authorize();
        } else {
            boolean named = requireConnect().userName() != null;
            LoginResult.Refused refused = (LoginResult.Refused) result;
            refuse(
                    refused.reason(),
                    named ? ReasonCode.BAD_USER_NAME_OR_PASSWORD : ReasonCode.NOT_AUTHORIZED,
                    refused.text(),
                    null);
        }
    }

    /**
     * @param detail for the log
     * @param advice for the client, or null
     */
    private void refuse(LoginRefusal refusal, ReasonCode badCredentials, String detail, @Nullable String advice) {
        ReasonCode reason =
                switch (refusal) {
                    case BAD_CREDENTIALS -> badCredentials;
                    case WRONG_CERTIFICATE -> ReasonCode.NOT_AUTHORIZED;
                    case TOO_MANY_FAILURES -> ReasonCode.CONNECTION_RATE_EXCEEDED;
                    case BUSY -> ReasonCode.SERVER_BUSY;
                    case UNAVAILABLE -> ReasonCode.SERVER_UNAVAILABLE;
                };
        loop.counters().increment(Counter.AUTHENTICATION_FAILURES);
        connection.refuse(
                ConnAck.builder(reason).reasonString(advice).build(),
                connection.peer().claimedUserOrId(),
                detail);
    }

    /** Who the client is has been settled: now whether it may connect, and as how big a client. */
    private void authorize() {
        Connect packet = requireConnect();
        AccessRights asked = connection.askRights();
        ConnectAuthorization authorization = ConnectAuthorization.of(packet, asked);
        String refusal = authorization.refusal();
        if (refusal != null) {
            loop.counters().increment(Counter.CONNECTIONS_UNAUTHORIZED);
            ConnAckBuilder answer = ConnAck.builder(ReasonCode.NOT_AUTHORIZED).reasonString(refusal);
            String object = Objects.requireNonNullElse(connection.identity().userName(), clientId);
            connection.refuse(answer.build(), object, refusal + "; " + authorization.policies(connection.peer()));
            return;
        }
        rights = asked;
        willExpirySeconds = authorization.willExpirySeconds();
        connection.identify(packet.version(), limitsOf(packet, windows()), clientId);
        if (!context.broker().isAttended() && needsStore(packet)) {
            connection.refuse(
                    ConnAck.builder(ReasonCode.QUOTA_EXCEEDED)
                            .reasonString(STANDBY_AWAY)
                            .build(),
                    STANDBY_AWAY);
            return;
        }
        claim();
    }

    /** Its session survives, or the one before has to end for it. */
    private boolean needsStore(Connect packet) {
        ClientSession before = context.broker().sessions().find(clientId);
        return expiryOf(packet) > 0 || before != null && before.expirySeconds() > 0;
    }

    private void claim() {
        connection.await(ConnectionState.CLAIMING);
        context.broker().sessions().claim(clientId, requireConnect().cleanStart(), loop, this::onSession);
    }

    private ConnectedClient onSession(ClientSession session, boolean present) {
        Connect packet = requireConnect();
        session.userName(connection.identity().userName());
        context.broker().sessions().describe(session, expiryOf(packet), willOf(packet, willExpirySeconds));
        MqttSession mqttSession;
        if (session.protocolState() instanceof MqttSession known) {
            mqttSession = known;
        } else {
            mqttSession = new MqttSession();
            session.protocolState(mqttSession);
        }
        mqttSession.follow(session);
        TopicAliases aliases = TopicAliases.of(
                packet.version().hasProperties() ? context.options().topicAliasMaximumIn() : 0,
                Math.min(context.options().topicAliasMaximumOut(), packet.topicAliasMaximum()));
        connection.begin(session, success(packet, present), aliases, keepAliveOf(packet), requireRights());
        if (packet.authenticationMethod() == null) {
            connection.forgetConnect();
        }
        return connection;
    }

    private ConnAck success(Connect packet, boolean present) {
        MqttOptions options = context.options();
        long expirySeconds = expiryOf(packet);
        int keepAlive = keepAliveOf(packet);
        ConnAckBuilder answer = ConnAck.builder(ReasonCode.SUCCESS)
                .sessionPresent(present && packet.version() != ProtocolVersion.V3_1)
                .receiveMaximum(windows().receiveMaximum())
                .maximumPacketSizeBytes(connection.admittedPacketBytes())
                .topicAliasMaximum(options.topicAliasMaximumIn())
                .assignedClientIdentifier(idAssigned ? clientId : null)
                .authenticationMethod(packet.authenticationMethod())
                .authenticationData(packet.authenticationMethod() == null ? null : finalAuthenticationData);
        if (expirySeconds != packet.sessionExpiryIntervalSeconds()) {
            answer.sessionExpiryIntervalSeconds(expirySeconds);
        }
        if (keepAlive != packet.keepAliveSeconds()) {
            answer.serverKeepAliveSeconds(keepAlive);
        }
        if (packet.requestResponseInformation() && options.responseInformationPrefix() != null) {
            answer.responseInformation(options.responseInformationPrefix() + clientId);
        }
        return answer.build();
    }

    private static @Nullable Will willOf(Connect packet, long expirySeconds) {
        ConnectWill will = packet.will();
        if (will == null) {
            return null;
        }
        return new Will(
                TopicName.of(will.topic()),
                will.qos(),
                will.retain(),
                will.payload(),
                will.properties(),
                will.delayIntervalSeconds(),
                expirySeconds);
    }

    private long expiryOf(Connect packet) {
        MqttOptions options = context.options();
        if (packet.version() == ProtocolVersion.V5) {
            long wanted = Math.min(packet.sessionExpiryIntervalSeconds(), options.sessionExpiryMaxSeconds());
            return requireRights().connection().expirySeconds(wanted);
        }
        return packet.cleanStart()
                ? 0
                : requireRights().connection().expirySeconds(options.legacySessionExpirySeconds());
    }

    private int keepAliveOf(Connect packet) {
        int max = context.options().keepAliveMaxSeconds();
        int wanted = packet.keepAliveSeconds();
        boolean tooLong = max > 0 && (wanted == 0 || wanted > max);
        return tooLong && packet.version() == ProtocolVersion.V5 ? max : wanted;
    }

    private static ClientLimits limitsOf(Connect packet, RateWindows windows) {
        long maximumPacketBytes = Math.min(packet.maximumPacketSizeBytes(), PacketFramer.MAX_PACKET_SIZE_BYTES);
        return new ClientLimits(
                packet.version(),
                windows.outboundFor(packet.receiveMaximum()),
                maximumPacketBytes,
                packet.requestProblemInformation());
    }

    private void sendAuth(ReasonCode reason, byte @Nullable [] data) {
        String method = requireConnect().authenticationMethod();
        if (method != null) {
            connection.send(new Auth(reason, method, data));
        }
    }

    private boolean isSameMethod(Auth packet) {
        Connect connected = connect;
        return connected != null
                && connected.authenticationMethod() != null
                && connected.authenticationMethod().equals(packet.authenticationMethod());
    }

    private RateWindows windows() {
        return RateWindows.of(requireRights().connection().expectedMessageRate(), context.options());
    }

    private AccessRights requireRights() {
        if (rights == null) {
            throw new IllegalStateException("not authorized yet");
        }
        return rights;
    }

    private Connect requireConnect() {
        if (connect == null) {
            throw new IllegalStateException("no CONNECT yet");
        }
        return connect;
    }

    /** Never one that is reserved: an underscore begins it, and what chance says comes after a letter. */
    private static String newClientId() {
        byte[] random = new byte[ASSIGNED_ID_BYTES];
        RANDOM.nextBytes(random);
        return "_c" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
