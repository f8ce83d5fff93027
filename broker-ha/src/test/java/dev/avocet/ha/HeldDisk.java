package dev.avocet.ha;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/** A disk on which no force ends while a test holds it. */
final class HeldDisk {
    private volatile CountDownLatch held = new CountDownLatch(0);

    Storage storage() {
        return wrap(Storage.class, new DiskStorage());
    }

    void hold() {
        held = new CountDownLatch(1);
    }

    void release() {
        held.countDown();
    }

    private <T> T wrap(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("force")) {
                        held.await();
                    }
                    Object result = call(real, method, arguments);
                    return result instanceof StorageFile file ? wrap(StorageFile.class, file) : result;
                }));
    }

    private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
