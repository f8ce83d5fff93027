package dev.avocet.jms.chapters;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Holds tests to their section, and runs that differ to their difference. */
final class DifferenceCheck implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        check(invocation, method);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        check(invocation, method);
    }

    private static void check(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method)
            throws Throwable {
        if (method.getExecutable().getAnnotation(Section.class) == null) {
            throw new AssertionError("the test names no section");
        }
        Chapter chapter = (Chapter) method.getTarget().orElseThrow();
        Optional<Differs> difference = Arrays.stream(method.getExecutable().getAnnotationsByType(Differs.class))
                .filter(each -> each.on() == chapter.provider().run())
                .findFirst();
        if (difference.isEmpty()) {
            invocation.proceed();
        } else {
            chapter.expectDifference();
            runWith(difference.get(), invocation);
        }
    }

    private static void runWith(Differs difference, Invocation<Void> invocation) throws Throwable {
        try {
            invocation.proceed();
        } catch (Exception | AssertionError e) {
            if (!String.valueOf(e).contains(difference.seen())) {
                throw new AssertionError("differs in another way than by '" + difference.seen() + "'", e);
            }
            return;
        }
        if (difference.always()) {
            throw new AssertionError(
                    "no difference any more: take the annotation away. It said: " + difference.because());
        }
    }
}
