package dev.avocet.bench.jms.client;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * Classes of a foreign client from its own jars first, so that it meets the versions of its libraries and not ours. The
 * messaging API is the exception: both sides have to mean the same interfaces. So is the logging API, whose provider is
 * ours.
 */
final class ChildFirstClassLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    ChildFirstClassLoader(URL[] jars, ClassLoader parent) {
        super("jms-client", jars, parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.") || name.startsWith("jakarta.jms.") || name.startsWith("org.slf4j.")) {
            return super.loadClass(name, resolve);
        }
        // The lock of the class loader's own protocol.
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try {
                return findClass(name);
            } catch (ClassNotFoundException notOurs) {
                return super.loadClass(name, resolve);
            }
        }
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : super.getResource(name);
    }
}
