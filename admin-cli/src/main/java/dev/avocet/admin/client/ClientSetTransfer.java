package dev.avocet.admin.client;

import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Exports and imports of client sets, which a broker does while it answers other requests. */
final class ClientSetTransfer {
    private static final long PAUSE_MS = 100;
    private static final String MEMBER = "ClientSet";
    private static final List<String> KINDS = List.of("export", "import");

    private final Clock clock = Clock.system(ZoneOffset.UTC);
    private final ServiceApi service;
    private final PrintWriter out;
    private final PrintWriter err;

    ClientSetTransfer(ServiceApi service, PrintWriter out, PrintWriter err) {
        this.service = service;
        this.out = out;
        this.err = err;
    }

    /** Begins an export or import, and waits for its end. */
    int begin(String kind, Map<String, ?> body, int waitSeconds) throws AdminException {
        String request = Values.text(service.post(kind + "/ClientSet", body).get("RequestID"));
        long deadlineMs = clock.millis() + TimeUnit.SECONDS.toMillis(waitSeconds);
        CountDownLatch never = new CountDownLatch(1);
        Map<String, @Nullable Object> status = ask(kind, request);
        try {
            while (isGoingOn(status)) {
                if (clock.millis() - deadlineMs > 0 || never.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
                    out.println(
                            "Request " + request + " goes on; 'client-set status " + request + "' tells how far it is");
                    return ExitCode.DONE;
                }
                status = ask(kind, request);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return tell(status);
    }

    int status(long request) throws AdminException {
        return tell(ask(kindOf(request), Long.toString(request)));
    }

    int forget(long request) throws AdminException {
        service.delete(kindOf(request) + "/ClientSet/" + request, Map.of());
        out.println("Request " + request + " is forgotten");
        return ExitCode.DONE;
    }

    private String kindOf(long request) throws AdminException {
        for (String kind : KINDS) {
            try {
                ask(kind, Long.toString(request));
                return kind;
            } catch (AdminException e) {
                if (e.exitCode() != ExitCode.NOT_FOUND) {
                    throw e;
                }
            }
        }
        throw new AdminException(ExitCode.NOT_FOUND, "there is no request " + request);
    }

    private Map<String, @Nullable Object> ask(String kind, String request) throws AdminException {
        Map<String, @Nullable Object> answer = service.get("status/" + kind + "/ClientSet/" + request, Map.of());
        if (answer.get(MEMBER) instanceof Map<?, ?> members) {
            return ConfigurationView.copyOf(members);
        }
        throw new AdminException(ExitCode.REFUSED, "the answer has no " + MEMBER);
    }

    private static boolean isGoingOn(Map<String, @Nullable Object> status) {
        return "InProgress".equals(status.get("State"));
    }

    private int tell(Map<String, @Nullable Object> status) {
        String message = Values.text(status.get("Message"));
        String head = "Request " + Values.text(status.get("RequestID")) + ", file "
                + Values.text(status.get("FileName")) + ": " + Values.text(status.get("State"));
        out.println(message.isEmpty() ? head : head + ". " + message);
        if (status.get("Diagnostics") instanceof List<?> problems) {
            problems.forEach(problem -> err.println("broker-admin: " + problem));
        }
        return "Failed".equals(status.get("State")) ? ExitCode.REFUSED : ExitCode.DONE;
    }
}
