package dev.avocet.admin.doctor;

import dev.avocet.admin.connection.Patient;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.schema.Values;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whether the broker answers, whether its endpoints listen or could, and who may use them. */
final class BrokerChecks {
    private static final Duration SKEW_WARNING = Duration.ofSeconds(5);
    private static final Duration SKEW_FAILURE = Duration.ofMinutes(1);

    private final Patient patient;
    private final List<Finding> findings = new ArrayList<>();

    BrokerChecks(Patient patient) {
        this.patient = patient;
    }

    List<Finding> findings() {
        AdminException absence = patient.absence();
        if (absence != null) {
            findings.add(Finding.warn(
                    "broker",
                    String.valueOf(absence.getMessage()),
                    "what follows is about its files and this machine only"));
        }
        try {
            if (patient.answers()) {
                clockAndEndpoints(patient.ask("/api/v1/service/status"));
            }
            Map<String, @Nullable Object> configuration =
                    patient.configuration().orElse(Map.of());
            if (!patient.answers()) {
                ports(configuration);
            }
            openEndpoints(configuration);
            administration(configuration);
            findings.addAll(new HardeningChecks(configuration, patient.startup()).findings());
        } catch (AdminException e) {
            findings.add(Finding.fail(
                    "broker", String.valueOf(e.getMessage()), "name a user with --user who may view and manage it"));
        }
        return findings;
    }

    private void clockAndEndpoints(Map<String, @Nullable Object> status) {
        if (status.get("Server") instanceof Map<?, ?> server) {
            String state = String.valueOf(server.get("Status"));
            findings.add(
                    state.equals("Running")
                            ? Finding.ok("broker", "runs, version " + server.get("Version"))
                            : Finding.warn("broker", "is " + state, "look again in a moment, and at its log"));
            clock(String.valueOf(server.get("ServerTime")));
        }
        if (status.get("Endpoint") instanceof Map<?, ?> endpoints) {
            endpoints.forEach((name, value) -> {
                if (value instanceof Map<?, ?> endpoint) {
                    endpoint(String.valueOf(name), endpoint);
                }
            });
        }
    }

    private void endpoint(String name, Map<?, ?> endpoint) {
        String subject = "endpoint " + name;
        switch (String.valueOf(endpoint.get("Status"))) {
            case "Listening" ->
                findings.add(Finding.ok(subject, "listens on " + endpoint.get("Address") + ":" + endpoint.get("Port")));
            case "Failed" ->
                findings.add(Finding.fail(
                        subject,
                        "does not listen: " + endpoint.get("ErrorMessage"),
                        "mend that; the next change of the configuration tries again"));
            default -> findings.add(Finding.ok(subject, "is disabled"));
        }
    }

    private void clock(String serverTime) {
        try {
            Duration skew = Duration.between(
                            Instant.parse(serverTime), patient.clock().instant())
                    .abs();
            String found = "differs by " + skew.toMillis() + " ms from the broker's";
            String advice = "keep the clocks of both machines right, by NTP or chrony";
            findings.add(
                    skew.compareTo(SKEW_FAILURE) > 0
                            ? Finding.fail("clock", found, advice)
                            : skew.compareTo(SKEW_WARNING) > 0
                                    ? Finding.warn("clock", found, advice)
                                    : Finding.ok("clock", found));
        } catch (DateTimeParseException e) {
            findings.add(Finding.warn("clock", "the broker tells no time", "is it an Avocet broker of this version?"));
        }
    }

    /** The ports that a broker will want. */
    private void ports(Map<String, @Nullable Object> configuration) {
        Map<Integer, String> wanted = new TreeMap<>();
        Map<String, @Nullable Object> startup = patient.startup();
        if (startup.get("endpoints") instanceof List<?> several) {
            several.forEach(each -> {
                if (each instanceof Map<?, ?> endpoint && endpoint.get("port") instanceof Number port) {
                    wanted.put(port.intValue(), "endpoint " + endpoint.get("name"));
                }
            });
        }
        if (configuration.get("Endpoint") instanceof Map<?, ?> endpoints) {
            endpoints.forEach((name, each) -> {
                if (each instanceof Map<?, ?> endpoint
                        && endpoint.get("Port") instanceof Number port
                        && Boolean.TRUE.equals(endpoint.get("Enabled"))) {
                    wanted.put(port.intValue(), "endpoint " + name);
                }
            });
        }
        if (startup.get("admin") instanceof Map<?, ?> admin && admin.get("port") instanceof Number port) {
            wanted.put(port.intValue(), "administration");
        }
        wanted.forEach((port, who) -> findings.add(
                port == 0 || isFree(port)
                        ? Finding.ok("port " + port, "is free for " + who)
                        : Finding.fail(
                                "port " + port,
                                "is taken by another process, and " + who + " wants it",
                                "find that with 'ss -ltnp', or give one of the two another port")));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private void openEndpoints(Map<String, @Nullable Object> configuration) {
        if (configuration.get("Endpoint") instanceof Map<?, ?> endpoints) {
            endpoints.forEach((name, each) -> {
                if (each instanceof Map<?, ?> endpoint && isOpenToEverybody(endpoint)) {
                    findings.add(Finding.fail(
                            "endpoint " + name,
                            "can be reached by others and has no SecurityProfile: no password, no TLS",
                            "give it a SecurityProfile, or Interface 127.0.0.1"));
                }
            });
        }
    }

    private static boolean isOpenToEverybody(Map<?, ?> endpoint) {
        return Boolean.TRUE.equals(endpoint.get("Enabled"))
                && !HardeningChecks.isLocal(endpoint)
                && Values.text(endpoint.get("SecurityProfile")).isEmpty();
    }

    private void administration(Map<String, @Nullable Object> configuration) {
        if (!configuration.isEmpty()) {
            findings.add(
                    Values.text(configuration.get("AdminUserPassword")).isEmpty()
                            ? Finding.warn(
                                    "administration",
                                    "needs no password from this machine",
                                    "broker-admin server update --admin-user-password-file FILE")
                            : Finding.ok("administration", "has a password"));
        }
    }
}
