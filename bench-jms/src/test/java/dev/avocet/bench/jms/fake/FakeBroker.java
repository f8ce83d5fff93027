package dev.avocet.bench.jms.fake;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Destinations by name, and the sessions that reach them. What a run does rarely goes through proxies, messages do not.
 */
public final class FakeBroker {
    private final Fault fault;
    private final int oneIn;
    private final Map<String, FakeDestination> destinations = new ConcurrentHashMap<>();
    private final AtomicInteger names = new AtomicInteger();

    public FakeBroker() {
        this(Fault.NONE, 1);
    }

    /** @param oneIn of so many messages of a destination one has the fault */
    public FakeBroker(Fault fault, int oneIn) {
        this.fault = fault;
        this.oneIn = oneIn;
    }

    Fault fault() {
        return fault;
    }

    int oneIn() {
        return oneIn;
    }

    /** Delivers what it holds. */
    public void letGo() {
        destinations.values().forEach(FakeDestination::letGo);
    }

    public Connection connect() {
        return proxy(Connection.class, (self, method, arguments) -> switch (method.getName()) {
            case "createSession" -> session();
            case "setClientID", "setExceptionListener", "start", "stop", "close" -> null;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    /** For what wants a factory. */
    public ConnectionFactory factory() {
        return proxy(ConnectionFactory.class, (self, method, arguments) -> connect());
    }

    public Session session() {
        return proxy(Session.class, (self, method, arguments) -> switch (method.getName()) {
            case "createBytesMessage" -> new FakeBytesMessage();
            case "createQueue", "createTopic" -> destination((String) arguments[0]);
            case "createTemporaryQueue" -> destination("temporary-" + names.incrementAndGet());
            case "createProducer" -> new FakeProducer((FakeDestination) arguments[0]);
            case "createConsumer" -> consumer(arguments[0], queueOrOwn(arguments[0]), selector(arguments));
            case "createDurableConsumer" -> consumer(arguments[0], own(), null);
            case "createSharedConsumer", "createSharedDurableConsumer" ->
                consumer(arguments[0], (String) arguments[1], null);
            case "commit", "unsubscribe", "close" -> null;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static @Nullable String selector(Object[] arguments) {
        return arguments.length > 1 ? (String) arguments[1] : null;
    }

    /** Tests that use topics name them so. */
    private String queueOrOwn(Object destination) {
        return ((FakeDestination) destination).getTopicName().contains("topic") ? own() : "queue";
    }

    private String own() {
        return "own-" + names.incrementAndGet();
    }

    private static FakeConsumer consumer(Object destination, String subscription, @Nullable String selector) {
        FakeConsumer consumer = new FakeConsumer(selector);
        ((FakeDestination) destination).subscription(subscription).add(consumer);
        return consumer;
    }

    private FakeDestination destination(String name) {
        return destinations.computeIfAbsent(name, made -> new FakeDestination(made, this));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
