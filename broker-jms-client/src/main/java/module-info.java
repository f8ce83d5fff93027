/** The Jakarta Messaging client of Avocet, over AMQP 1.0. Start at {@link dev.avocet.jms.AvocetConnectionFactory}. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"
}) // ProtonJ2 only names its module in the manifest.
module dev.avocet.jms {
    requires dev.avocet.amqp.frames;
    requires transitive jakarta.messaging;
    requires transitive java.naming;
    requires transitive java.transaction.xa;
    requires java.security.sasl;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires org.apache.qpid.protonj2;
    requires org.slf4j;
    requires static dev.avocet.protection;
    requires static transitive org.jspecify;

    exports dev.avocet.jms;
    exports dev.avocet.jms.jndi;
}
