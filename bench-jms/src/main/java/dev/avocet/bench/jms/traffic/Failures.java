package dev.avocet.bench.jms.traffic;

import static java.util.Locale.ROOT;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** What went wrong in a run, each kind of it once with how often. Any thread may add. */
public final class Failures {
    private static final int MAX_KINDS = 20;
    /** Causes may go in a circle. */
    private static final int MAX_DEPTH = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> timesByText = new LinkedHashMap<>();
    private final AtomicBoolean ending = new AtomicBoolean();

    /** From now on connections end because they are closed. */
    public void expectEnd() {
        ending.set(true);
    }

    /** Whether it was said that connections are to end. */
    boolean isEndExpected() {
        return ending.get();
    }

    /** @param where whose failure it is, such as {@code send} */
    public void add(String where, Exception failure) {
        add(String.format(ROOT, "%s: %s", where, text(failure)));
    }

    public void add(String text) {
        if (ending.get()) {
            return;
        }
        lock.lock();
        try {
            if (timesByText.size() < MAX_KINDS || timesByText.containsKey(text)) {
                timesByText.merge(text, 1L, Long::sum);
            }
        } finally {
            lock.unlock();
        }
    }

    public List<String> texts() {
        lock.lock();
        try {
            List<String> texts = new ArrayList<>();
            timesByText.forEach((text, times) -> texts.add(times == 1 ? text : text + " (" + times + " times)"));
            return texts;
        } finally {
            lock.unlock();
        }
    }

    public boolean isEmpty() {
        return texts().isEmpty();
    }

    private static String text(Exception failure) {
        String message = messageOf(failure);
        boolean hasCode = failure instanceof JMSException jms && jms.getErrorCode() != null;
        String text =
                hasCode ? String.format(ROOT, "%s [%s]", message, ((JMSException) failure).getErrorCode()) : message;
        String root = messageOf(rootOf(failure));
        return message.contains(root) ? text : text + ": " + root;
    }

    /** What clients say themselves is often only what they wanted to do. */
    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            Throwable cause = root instanceof JMSException jms && jms.getLinkedException() != null
                    ? jms.getLinkedException()
                    : root.getCause();
            if (cause == null) {
                break;
            }
            root = cause;
        }
        return root;
    }

    private static String messageOf(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
