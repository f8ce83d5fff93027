import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;

/**
 * Sends a message and receives it.
 *
 * <p>{@code java -cp 'client/*' client/Hello.java avocet://localhost:1883 orders}
 */
final class Hello {
    private static final long PATIENCE_MS = 10_000;

    private Hello() {}

    public static void main(final String[] arguments) {
        try (JMSContext context = new AvocetConnectionFactory(arguments[0]).createContext()) {
            final Queue queue = context.createQueue(arguments[1]);
            context.createProducer().send(queue, "hello");
            System.out.println(context.createConsumer(queue).receiveBody(String.class, PATIENCE_MS));
        }
    }
}
