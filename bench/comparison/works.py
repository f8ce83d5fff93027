"""The works of the table: what is sent to whom, who is compared, and what Avocet wants to reach."""

from dataclasses import dataclass, field, replace

# A work of the same stage is done by a server without starting it again.
STAGES = ("memory", "tls", "forced", "jms", "jms-tls", "jms-forced")

# Avocet as another commit built it takes part in every work, when it is asked for, and none may have become slower than this.
PREVIOUS = "previous"
PREVIOUS_SHARE = 0.97


@dataclass(frozen=True)
class Work:
    name: str
    title: str
    stage: str
    tool: str
    options: tuple
    # Who takes part beside Avocet, and how many times its rate is wanted; None where it is only shown.
    peers: dict = field(default_factory=dict)
    # Subscriptions that come and go in a second.
    churn: int = 0
    # Subscribers beside those of the load that read slowly, and whose messages do not count.
    slow: int = 0
    # The work whose rate Avocet should keep here, and which part of it.
    of: str = ""
    share: "float | None" = None
    # Of clients that all connect at once; nothing is sent. Otherwise messages count.
    connections: int = 0
    # The workload of jmsbench, where it has another name than the work.
    workload: str = ""
    # Messages a second, the same for all: 99th percentiles of latency are compared, and not rates.
    rate: int = 0

    def __post_init__(self):
        object.__setattr__(self, "peers", self.peers if self.rate else {**self.peers, PREVIOUS: PREVIOUS_SHARE})
        if self.rate:
            object.__setattr__(self, "options", (*self.options, f"--rate={self.rate}"))

    @property
    def others(self):
        """Peers that are no builds of Avocet."""
        return [peer for peer in self.peers if peer != PREVIOUS]

    @property
    def mode(self):
        """Of the server: memory, forced or tls."""
        return next((mode for mode in ("forced", "tls") if self.stage.endswith(mode)), "memory")


# Names without a slash in front and without dots: those mean other things to NATS and to Artemis. One event loop, as the server
# needs a processor too; in a closed loop, so that no server is drowned and what is measured is what the server can keep up.
_CLOSED = ("--rate=max", "--window=20000", "--in-flight=1000", "--batch=32", "--size=32", "--threads=1", "--drain=10")
_MQTT = _CLOSED + ("--topic=p{p}/t{i}", "--filter=p{p}/#")
_FAN_IN = _MQTT + ("--producers=100", "--round-robin")
_TEN = ("--consumers=10", "--partitions=10")

_FAN_OUT = _MQTT + ("--producers=1", "--qos=0", "--topic=all/one", "--filter=all/one")

# A fleet: each publisher has so many topics, in turn.
_HUNDRED = _CLOSED + ("--producers=100", "--round-robin", "--qos=0") + _TEN
_FLEET = _HUNDRED + ("--topic=p{p}/t{i}/{t}", "--filter=p{p}/#")
# Each topic has a subscription by its name.
_EXACT = _CLOSED + ("--producers=200", "--consumers=200", "--partitions=200", "--qos=0", "--topic=p{p}/{t}", "--filter=p{p}/{t}")
_BEST = {"nats": 1.0, "hivemq": 1.0, "mosquitto": 1.0}
_MANY = {"nats": 1.25, "mosquitto": None}
# The ceiling knows no + and looks each name up as a text.
_BRANCHES = {**_MANY, "ceiling": None}

# A pair of our own: the ratio says how many times as much one broker passes alone, and is wanted to be no more than that.
COSTS = ("pair",)
_PAIR = {"pair": None}
_PAIR_FREE = {"pair": 1 / PREVIOUS_SHARE}
_PAIR_SMALL = {"pair": 1 / 0.75}
_PAIR_LARGE = {"pair": 1 / 0.9}

# Seconds: a pair has more code to compile than one broker, so that after less time it is compared with a warmer one.
PAIR_WARM_UP = 12

# A bare forwarder under our own JMS client: it forces nothing, so with persistent messages its rate is only shown.
_JMS = {"artemis": 3.0, "jms-ceiling": 0.7}

# A burst: a thousand of them are on their way at once.
_BURST = ("--max-connecting=1000",)
_TLS = ("--tls",)
_TLS_12 = _TLS + ("--tls-protocol=TLSv1.2", "--cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384")
_TLS_13 = _TLS + ("--tls-protocol=TLSv1.3",)
_DOORS = {"nats": None, "hivemq": 1.0, "mosquitto": 1.0}

_ALL = {"ceiling": None, "nats": None, "artemis": None, "hivemq": None, "mosquitto": None}

WORKS = (
    Work("fanin", "MQTT QoS 0, 100 publishers to 10 subscribers in partitions", "memory", "mqttbench",
         _FAN_IN + _TEN + ("--qos=0",), {**_ALL, **_PAIR_FREE, "ceiling": 0.4, "nats": 1.25}),
    Work("single", "MQTT QoS 0, 100 publishers to 1 subscriber", "memory", "mqttbench",
         _FAN_IN + ("--consumers=1", "--qos=0"), {**_ALL, "ceiling": 0.4, "nats": 1.25}),
    Work("fanout", "MQTT QoS 0, 1 publisher to 100 subscribers", "memory", "mqttbench",
         _FAN_OUT + ("--consumers=100",), {**_ALL, "ceiling": 0.4, "nats": 1.25}),
    Work("fanout-10", "MQTT QoS 0, 1 publisher to 10 subscribers", "memory", "mqttbench", _FAN_OUT + ("--consumers=10",),
         {"nats": 1.0, "mosquitto": 1.0}),
    Work("fanout-slow", "MQTT QoS 0, 1 publisher to 10 subscribers, and 10 more that read slowly", "memory", "mqttbench",
         _FAN_OUT + ("--consumers=10",), {"nats": 1.0, "mosquitto": 1.0}, slow=10, of="fanout-10", share=0.9),
    Work("qos1", "MQTT QoS 1 in memory, 100 publishers to 10 subscribers in partitions", "memory", "mqttbench",
         _FAN_IN + _TEN + ("--qos=1",), {**_ALL, "ceiling": 0.4, "hivemq": 5.0}),
    Work("producers-1000", "MQTT QoS 0, as the first, 1,000 publishers", "memory", "mqttbench",
         _MQTT + ("--round-robin", "--producers=1000", "--qos=0") + _TEN, _BEST),
    Work("one-a-write", "MQTT QoS 0, as the first, one message a write", "memory", "mqttbench",
         _FAN_IN + _TEN + ("--qos=0", "--batch=1"), _BEST),
    Work("fanin-16k", "MQTT QoS 0 of 16 KB, as the first", "memory", "mqttbench",
         _FAN_IN + _TEN + ("--qos=0", "--size=16384", "--window=2000"), _BEST),
    Work("fanin-200k", "MQTT QoS 0 of 200 KB, as the first", "memory", "mqttbench",
         _FAN_IN + _TEN + ("--qos=0", "--size=204800", "--window=200", "--batch=1"), _BEST),
    Work("burst", "MQTT, 5,000 clients connect at once", "memory", "mqttbench", _BURST, _DOORS, connections=5_000),
    Work("fanin-tls", "MQTT QoS 0 over TLS 1.3, as the first", "tls", "mqttbench",
         _FAN_IN + _TEN + _TLS_13 + ("--qos=0",), _DOORS, of="fanin"),
    Work("burst-tls", "MQTT, 5,000 clients connect at once, TLS 1.2 with ECDHE and RSA of 2,048 bits", "tls", "mqttbench",
         _BURST + _TLS_12, _DOORS, connections=5_000),
    Work("burst-tls13", "MQTT, 5,000 clients connect at once, TLS 1.3 with RSA of 2,048 bits", "tls", "mqttbench",
         _BURST + _TLS_13, _DOORS, connections=5_000),
    Work("burst-resumed", "MQTT, 5,000 clients connect at once and resume TLS 1.3 sessions", "tls", "mqttbench",
         _BURST + _TLS_13 + ("--tls-resume",), _DOORS, connections=5_000, of="burst-tls13"),
    Work("topics-100", "MQTT QoS 0, as the first, 10,000 topics in turn", "memory", "mqttbench",
         _FLEET + ("--topics-per-producer=100",), _BRANCHES, of="fanin", share=0.75),
    Work("topics-1000", "MQTT QoS 0, 100,000 topics in turn", "memory", "mqttbench",
         _FLEET + ("--topics-per-producer=1000",), _BRANCHES, of="fanin", share=0.75),
    Work("topics-10000", "MQTT QoS 0, a million topics in turn", "memory", "mqttbench",
         _FLEET + ("--topics-per-producer=10000",), _BRANCHES, of="fanin", share=0.75),
    Work("topics-churn", "MQTT QoS 0, a million topics in turn, 1,000 subscriptions a second come and go", "memory", "mqttbench",
         _FLEET + ("--topics-per-producer=10000",), {"nats": None}, churn=1_000, of="fanin", share=0.75),
    Work("topics-plus", "MQTT QoS 0, a million topics in turn, filters with + in the middle", "memory", "mqttbench",
         _HUNDRED + ("--topics-per-producer=10000", "--topic=p{p}/t{i}-{t}/state", "--filter=p{p}/+/state"), _MANY,
         of="fanin", share=0.75),
    Work("exact-1", "MQTT QoS 0, 200 publishers, 200 topics, a subscription to each by its name", "memory", "mqttbench",
         _EXACT + ("--topics-per-producer=1", "--filters-per-client=1"), _MANY),
    Work("exact-500", "MQTT QoS 0, 200 publishers, 100,000 topics, a subscription to each by its name", "memory", "mqttbench",
         _EXACT + ("--topics-per-producer=500", "--filters-per-client=500"), _MANY, churn=1_000, of="exact-1", share=0.75),
    Work("retained-1", "MQTT QoS 0, retained, 100 topics", "memory", "mqttbench",
         _FLEET + ("--topics-per-producer=1", "--retain"), {"mosquitto": None}),
    Work("retained-10000", "MQTT QoS 0, retained, a million topics in turn", "memory", "mqttbench",
         _FLEET + ("--topics-per-producer=10000", "--retain"), {"mosquitto": None}, of="retained-1", share=0.75),
    Work("qos1-forced", "MQTT QoS 1, forced, 100 publishers to 10 durable subscribers in partitions", "forced", "mqttbench",
         _FAN_IN + _TEN + ("--qos=1", "--persistent"),
         {"nats": None, "artemis": 6.0, "hivemq": None, "mosquitto": None, **_PAIR_SMALL}),
    Work("qos1-forced-2k", "MQTT QoS 1 of 2 KB, forced, 100 publishers to 10 durable subscribers in partitions", "forced", "mqttbench",
         _FAN_IN + _TEN + ("--qos=1", "--persistent", "--size=2048"), _PAIR_LARGE),
    Work("mqtt-jms", "MQTT QoS 1 from 100 publishers to 10 JMS subscribers in partitions", "jms", "both", (), {"artemis": 4.0}),
    # Other clients than ours always acknowledge.
    Work("mqtt-jms-q0", "MQTT QoS 0 from 100 publishers to 10 JMS subscribers in partitions, without acknowledgement", "jms", "both",
         (), of="fanin", share=0.6),
    Work("QUEUE.NP", "JMS, queues, non-persistent", "jms", "jmsbench", (), _JMS),
    Work("REQUEST.NP", "JMS, round trips, non-persistent", "jms", "jmsbench", (), {"artemis": 3.0}),
    Work("TOPIC.NP", "JMS, 4 publishers to 10 subscribers of a topic, non-persistent", "jms", "jmsbench", (), _JMS),
    Work("SHARED.NP", "JMS, 10 consumers share a subscription, non-persistent", "jms", "jmsbench", (), _JMS),
    Work("queue-tls", "JMS over TLS, queues, non-persistent", "jms-tls", "jmsbench", (), {"artemis": 3.0}, of="QUEUE.NP",
         workload="QUEUE.NP"),
    Work("QUEUE.PERSISTENT", "JMS, queues, persistent and forced", "jms-forced", "jmsbench", (),
         {"artemis": 3.0, "jms-ceiling": None, **_PAIR}),
    Work("QUEUE.TRANSACTED", "JMS, queues, persistent and forced, transactions of 100", "jms-forced", "jmsbench", (),
         {"artemis": 3.0, **_PAIR}),
)


def _late(name, of, rate):
    """A work at a rate, about half of what Artemis passes on two processors, at which we are to be no later."""
    work = next(work for work in WORKS if work.name == of)
    return replace(work, name=name, title=f"{work.title}, {rate:,}/s: latency", peers={"artemis": 1.0}, workload=of, rate=rate)


WORKS += (
    _late("late-queue", "QUEUE.NP", 9_000),
    _late("late-request", "REQUEST.NP", 900),
    _late("late-topic", "TOPIC.NP", 2_200),
    _late("late-shared", "SHARED.NP", 12_000),
    _late("late-persistent", "QUEUE.PERSISTENT", 1_900),
    _late("late-transacted", "QUEUE.TRANSACTED", 12_500),
)

PEERS = tuple(_ALL) + ("jms-ceiling",) + tuple(_PAIR)
SHORT_WORKS = ("fanin", "qos1")
SHORT_PEERS = ("ceiling", "mosquitto")
