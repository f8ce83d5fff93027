import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;

/** Sends a message to a queue and receives it. */
class Hello {
    public static void main(String[] arguments) {
        String url = arguments[0];
        try (JMSContext context = new AvocetConnectionFactory(url).createContext()) {
            Queue queue = context.createQueue(arguments[1]);
            context.createProducer().send(queue, "hello");
            System.out.println(context.createConsumer(queue).receiveBody(String.class, 10_000));
        }
    }
}
