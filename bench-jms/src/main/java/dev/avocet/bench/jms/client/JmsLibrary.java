package dev.avocet.bench.jms.client;

import static java.util.Locale.ROOT;

import jakarta.jms.ConnectionFactory;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where connection factories come from.
 *
 * @param factoryClass the class of the connection factory: public, with a constructor that takes the address, or with
 *     none and a setter for it
 * @param classPath jars and folders of the client; empty: that of jmsbench
 * @param properties what is set in each factory
 */
public record JmsLibrary(String factoryClass, List<Path> classPath, Map<String, String> properties) {
    /** The client that comes with jmsbench. */
    public static final String OWN_FACTORY = "dev.avocet.jms.AvocetConnectionFactory";

    private static final List<String> ADDRESS_PROPERTIES =
            List.of("brokerURL", "url", "remoteURI", "serverUrl", "connectionNameList", "hostName");

    public JmsLibrary {
        classPath = List.copyOf(classPath);
        properties = new LinkedHashMap<>(properties);
    }

    /**
     * A factory of connections to one broker.
     *
     * @param target the address as that client writes it; for our own client HOST:PORT is enough, or the nodes of a
     *     pair with slashes between
     * @throws UnusableClientException with what to mend, in one sentence
     */
    public ConnectionFactory factory(String target) {
        ConnectionFactory factory = create(load(), address(target));
        FactorySettings settings = new FactorySettings(factory);
        properties.forEach(settings::set);
        return factory;
    }

    private String address(String target) {
        return factoryClass.equals(OWN_FACTORY) && !isUrl(target) ? url("avocet:", target) : target;
    }

    private static boolean isUrl(String target) {
        return target.contains("://") || target.contains("(");
    }

    /**
     * The URL of our own client.
     *
     * @param scheme with its colon
     * @param target HOST:PORT, or the nodes of a pair with slashes between
     */
    public static String url(String scheme, String target) {
        return target.contains("/") ? scheme + "(" + target.replace('/', ',') + ")" : scheme + "//" + target;
    }

    private Class<? extends ConnectionFactory> load() {
        try {
            Class<?> found = Class.forName(factoryClass, true, loader());
            if (!ConnectionFactory.class.isAssignableFrom(found)) {
                throw new UnusableClientException(String.format(
                        ROOT,
                        "%s is not a jakarta.jms.ConnectionFactory; a client for javax.jms does not fit",
                        factoryClass));
            }
            return found.asSubclass(ConnectionFactory.class);
        } catch (ClassNotFoundException | LinkageError missing) {
            throw new UnusableClientException(String.format(
                    ROOT, "cannot load %s (%s): name the client's jars with --class-path", factoryClass, missing));
        }
    }

    private ClassLoader loader() {
        ClassLoader own = JmsLibrary.class.getClassLoader();
        if (classPath.isEmpty()) {
            return own;
        }
        ClassLoader loader = new ChildFirstClassLoader(
                classPath.stream().map(JmsLibrary::url).toArray(URL[]::new), own);
        // Clients look for their parts (transports, SASL) through the thread that connects.
        Thread.currentThread().setContextClassLoader(loader);
        return loader;
    }

    private static URL url(Path path) {
        if (!Files.exists(path)) {
            throw new UnusableClientException(String.format(ROOT, "class path: there is no %s", path));
        }
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException unlikely) {
            throw new UncheckedIOException(unlikely);
        }
    }

    private ConnectionFactory create(Class<? extends ConnectionFactory> type, String address) {
        try {
            return type.getConstructor(String.class).newInstance(address);
        } catch (NoSuchMethodException noSuchConstructor) {
            return createAndSet(type, address);
        } catch (InvocationTargetException refused) {
            throw new UnusableClientException(String.format(
                    ROOT,
                    "%s refuses the address '%s': %s",
                    factoryClass,
                    address,
                    refused.getCause().getMessage()));
        } catch (ReflectiveOperationException closed) {
            throw new UnusableClientException(String.format(ROOT, "%s cannot be created: %s", factoryClass, closed));
        }
    }

    private ConnectionFactory createAndSet(Class<? extends ConnectionFactory> type, String address) {
        try {
            ConnectionFactory factory = type.getConstructor().newInstance();
            FactorySettings settings = new FactorySettings(factory);
            if (ADDRESS_PROPERTIES.stream().noneMatch(name -> settings.setIfThere(name, address))) {
                throw new UnusableClientException(String.format(
                        ROOT,
                        "%s has no constructor and no setter for the address; known setters: %s",
                        factoryClass,
                        ADDRESS_PROPERTIES));
            }
            return factory;
        } catch (ReflectiveOperationException noConstructor) {
            throw new UnusableClientException(
                    String.format(ROOT, "%s has no public constructor with an address or without", factoryClass));
        }
    }
}
