package dev.avocet.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.Queue;

/** A program that sends one message and receives it. */
final class FirstMessage {
    private FirstMessage() {}

    public static void main(final String[] arguments) {
        try (JMSContext context = new AvocetConnectionFactory(arguments[0]).createContext()) {
            final Queue queue = context.createQueue(arguments[1]);
            context.createProducer().send(queue, "hello");
            System.out.println(context.createConsumer(queue).receiveBody(String.class, 10_000));
        }
    }
}
