package dev.avocet.jms.jndi;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.client.message.DestinationKind;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsQueue;
import dev.avocet.jms.client.message.JmsTopic;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/** Makes what a reference in some directory stands for; JNDI calls it. */
public final class AvocetObjectFactory implements ObjectFactory {
    /** For JNDI. */
    public AvocetObjectFactory() {}

    @Override
    @SuppressWarnings("JdkObsolete") // The interface is older than collections.
    public @Nullable Object getObjectInstance(
            final @Nullable Object object,
            final @Nullable Name name,
            final @Nullable Context context,
            final @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        if (!(object instanceof final Reference reference)) {
            return null;
        }
        if (reference.getClassName().equals(AvocetConnectionFactory.class.getName())) {
            return new AvocetConnectionFactory(content(reference, "url"));
        }
        if (reference.getClassName().startsWith("dev.avocet.jms.client.message.Jms")) {
            return destination(DestinationKind.valueOf(content(reference, "kind")), content(reference, "name"));
        }
        return null;
    }

    private static JmsDestination destination(final DestinationKind kind, final String name) {
        return switch (kind) {
            case QUEUE -> JmsQueue.parse(name);
            case TOPIC -> JmsTopic.parse(name);
            case TEMPORARY_QUEUE, TEMPORARY_TOPIC -> JmsDestination.of(kind, name);
        };
    }

    private static String content(final Reference reference, final String key) throws NamingException {
        final RefAddr address = reference.get(key);
        if (address == null || address.getContent() == null) {
            throw new NamingException("the reference to a " + reference.getClassName() + " has no " + key);
        }
        return address.getContent().toString();
    }
}
