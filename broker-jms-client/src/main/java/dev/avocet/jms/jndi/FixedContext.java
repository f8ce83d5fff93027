package dev.avocet.jms.jndi;

import dev.avocet.jms.client.message.JmsQueue;
import dev.avocet.jms.client.message.JmsTopic;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/** Names that were given once; nothing can be bound. */
@SuppressWarnings({"JdkObsolete", "BanJNDI"
}) // The interface is older than collections; this is a directory, and asks none.
final class FixedContext implements Context {
    private static final String DYNAMIC_QUEUES = "dynamicQueues/";
    private static final String DYNAMIC_TOPICS = "dynamicTopics/";

    private final Map<String, Object> bindings;
    private final Hashtable<Object, Object> environment;

    FixedContext(final Map<String, Object> bindings, final Hashtable<Object, Object> environment) {
        this.bindings = bindings;
        this.environment = environment;
    }

    @Override
    public Object lookup(final Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public Object lookup(final String name) throws NamingException {
        if (name.isEmpty()) {
            return this;
        }
        final Object bound = bindings.get(name);
        if (bound != null) {
            return bound;
        }
        if (name.startsWith(DYNAMIC_QUEUES) && name.length() > DYNAMIC_QUEUES.length()) {
            return new JmsQueue(name.substring(DYNAMIC_QUEUES.length()));
        }
        if (name.startsWith(DYNAMIC_TOPICS) && name.length() > DYNAMIC_TOPICS.length()) {
            return new JmsTopic(name.substring(DYNAMIC_TOPICS.length()));
        }
        throw new NameNotFoundException("there is no " + name + "; there are " + bindings.keySet()
                + ", and dynamicQueues/NAME and dynamicTopics/NAME for any name");
    }

    @Override
    public Object lookupLink(final Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(final String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(final Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(final String name) throws NamingException {
        checkRoot(name);
        final List<NameClassPair> all = new ArrayList<>();
        bindings.forEach(
                (key, value) -> all.add(new NameClassPair(key, value.getClass().getName())));
        return new Listing<>(all.iterator());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(final Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(final String name) throws NamingException {
        checkRoot(name);
        final List<Binding> all = new ArrayList<>();
        bindings.forEach((key, value) -> all.add(new Binding(key, value)));
        return new Listing<>(all.iterator());
    }

    private static void checkRoot(final String name) throws NamingException {
        if (!name.isEmpty()) {
            throw new NameNotFoundException("there is no context " + name);
        }
    }

    @Override
    public NameParser getNameParser(final Name name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(final String name) {
        return CompositeName::new;
    }

    @Override
    public Name composeName(final Name name, final Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String composeName(final String name, final String prefix) {
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    @Override
    public @Nullable Object addToEnvironment(final String name, final Object value) {
        return environment.put(name, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(final String name) {
        return environment.remove(name);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public String getNameInNamespace() {
        return "";
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    @Override
    public void bind(final Name name, final Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void bind(final String name, final Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void rebind(final Name name, final Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void rebind(final String name, final Object object) throws NamingException {
        throw fixed();
    }

    @Override
    public void unbind(final Name name) throws NamingException {
        throw fixed();
    }

    @Override
    public void unbind(final String name) throws NamingException {
        throw fixed();
    }

    @Override
    public void rename(final Name from, final Name to) throws NamingException {
        throw fixed();
    }

    @Override
    public void rename(final String from, final String to) throws NamingException {
        throw fixed();
    }

    @Override
    public void destroySubcontext(final Name name) throws NamingException {
        throw fixed();
    }

    @Override
    public void destroySubcontext(final String name) throws NamingException {
        throw fixed();
    }

    @Override
    public Context createSubcontext(final Name name) throws NamingException {
        throw fixed();
    }

    @Override
    public Context createSubcontext(final String name) throws NamingException {
        throw fixed();
    }

    private static NamingException fixed() {
        return new OperationNotSupportedException(
                "the names come from the environment; nothing can be bound, renamed or removed");
    }

    /** An iterator in the form of JNDI. */
    private record Listing<T>(Iterator<T> elements) implements NamingEnumeration<T> {
        @Override
        public T next() {
            return elements.next();
        }

        @Override
        public boolean hasMore() {
            return elements.hasNext();
        }

        @Override
        public void close() {
            // Nothing is held.
        }

        @Override
        public boolean hasMoreElements() {
            return elements.hasNext();
        }

        @Override
        public T nextElement() {
            return elements.next();
        }
    }
}
