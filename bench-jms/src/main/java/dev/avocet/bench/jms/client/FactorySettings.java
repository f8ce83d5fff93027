package dev.avocet.bench.jms.client;

import static java.util.Locale.ROOT;

import jakarta.jms.ConnectionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** Properties of a connection factory, by their setters or by {@code setProperty(String, String)}. */
final class FactorySettings {
    private final ConnectionFactory factory;

    FactorySettings(ConnectionFactory factory) {
        this.factory = factory;
    }

    /** Whether there was a setter of that name. */
    boolean setIfThere(String name, String value) {
        Optional<Method> setter = setter(name);
        setter.ifPresent(method -> call(method, name, parse(method.getParameterTypes()[0], name, value)));
        return setter.isPresent();
    }

    void set(String name, String value) {
        if (!setIfThere(name, value)) {
            Method generic = generic()
                    .orElseThrow(() -> new UnusableClientException(
                            String.format(ROOT, "property '%s': %s has no setter of that name", name, factoryName())));
            call(generic, name, name, value);
        }
    }

    private Optional<Method> setter(String name) {
        return Arrays.stream(factory.getClass().getMethods())
                .filter(method -> method.getName().equalsIgnoreCase("set" + name))
                .filter(method -> method.getParameterCount() == 1 && isSimple(method.getParameterTypes()[0]))
                .min(Comparator.comparing(method -> method.getParameterTypes()[0] == String.class));
    }

    private Optional<Method> generic() {
        return Arrays.stream(factory.getClass().getMethods())
                .filter(method -> method.getName().equals("setProperty"))
                .filter(method ->
                        Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class, String.class}))
                .findFirst();
    }

    private static boolean isSimple(Class<?> type) {
        return type == String.class
                || type == int.class
                || type == long.class
                || type == boolean.class
                || type == double.class;
    }

    private static Object parse(Class<?> type, String name, String value) {
        try {
            if (type == int.class) {
                return Integer.parseInt(value);
            } else if (type == long.class) {
                return Long.parseLong(value);
            } else if (type == double.class) {
                return Double.parseDouble(value);
            }
        } catch (NumberFormatException notANumber) {
            throw new UnusableClientException(String.format(ROOT, "property '%s': '%s' is not a number", name, value));
        }
        return type == boolean.class ? (Object) Boolean.parseBoolean(value) : value;
    }

    private void call(Method method, String name, Object... arguments) {
        try {
            method.invoke(factory, arguments);
        } catch (IllegalAccessException closed) {
            throw new UnusableClientException(
                    String.format(ROOT, "property '%s' of %s is not public", name, factoryName()));
        } catch (InvocationTargetException refused) {
            throw new UnusableClientException(String.format(
                    ROOT,
                    "property '%s': %s refuses it: %s",
                    name,
                    factoryName(),
                    refused.getCause().getMessage()));
        }
    }

    private String factoryName() {
        return factory.getClass().getName();
    }
}
