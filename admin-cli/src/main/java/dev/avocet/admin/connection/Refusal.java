package dev.avocet.admin.connection;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.StaleException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An answer that is no success, as a message for people. */
final class Refusal {
    private static final int TOO_OLD = 412;
    /** The code of a path that this broker does not know, as against one where nothing of that name is. */
    private static final String NO_SUCH_PATH = "AVCT0404";

    private final URI server;
    private final int status;
    private final String body;
    private final Map<String, Object> problem;

    Refusal(URI server, int status, String body) {
        this.server = server;
        this.status = status;
        this.body = body;
        this.problem = problemIn(body);
    }

    AdminException exception(boolean hasCredentials) {
        String said = server + " answered " + status + ": ";
        return switch (status) {
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                new AdminException(ExitCode.FORBIDDEN, said + unauthorised(hasCredentials));
            case HttpURLConnection.HTTP_FORBIDDEN -> new AdminException(ExitCode.FORBIDDEN, said + message());
            case HttpURLConnection.HTTP_NOT_FOUND -> notFound(said);
            case HttpURLConnection.HTTP_CONFLICT -> new AdminException(ExitCode.CONFLICT, said + message());
            case TOO_OLD -> new StaleException(said + message());
            default -> new AdminException(ExitCode.REFUSED, said + message());
        };
    }

    private static String unauthorised(boolean hasCredentials) {
        return hasCredentials
                ? "it does not accept this user with this password"
                : "it asks who you are; name yourself with --user, or with BROKER_ADMIN_USER";
    }

    private AdminException notFound(String said) {
        boolean isUnknownPath = NO_SUCH_PATH.equals(text("code"));
        return isUnknownPath || !problem.containsKey("code")
                ? new AdminException(
                        ExitCode.REFUSED,
                        said + (problem.isEmpty() ? "it does not know the question" : message())
                                + ". Is it an Avocet broker of this version?")
                : new AdminException(ExitCode.NOT_FOUND, said + message());
    }

    /** What the broker says, and each of its problems on a line of its own. */
    private String message() {
        if (problem.isEmpty()) {
            return body.lines().findFirst().orElse("");
        }
        List<String> problems = problems();
        String first = text("message");
        if (problems.size() == 1 && (first.isEmpty() || first.contains(problems.get(0)))) {
            return problems.get(0);
        }
        boolean repeats = problems.size() > 1 && problems.stream().allMatch(first::contains);
        String head = repeats ? "refused, for " + problems.size() + " reasons" : first;
        return Stream.concat(Stream.of(head), problems.stream().map(line -> "  - " + line))
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private String text(String member) {
        return Stream.of(problem.get(member), problem.get("error"))
                .filter(Objects::nonNull)
                .findFirst()
                .map(Object::toString)
                .orElse("");
    }

    private List<String> problems() {
        return problem.get("problems") instanceof List<?> several
                ? several.stream().map(Refusal::describe).toList()
                : List.of();
    }

    private static String describe(Object problem) {
        if (!(problem instanceof Map<?, ?> members)) {
            return String.valueOf(problem);
        }
        Map<String, Object> parts = inSmallLetters(members);
        return Stream.of("object", "property", "message")
                .map(parts::get)
                .filter(part -> part != null && !part.equals(""))
                .map(Object::toString)
                .collect(Collectors.joining(": "));
    }

    private static Map<String, Object> problemIn(String body) {
        try {
            return Documents.json(body) instanceof Map<?, ?> members ? inSmallLetters(members) : Map.of();
        } catch (IOException e) {
            return Map.of();
        }
    }

    /** Members as they are called here, which the broker begins with a capital. */
    private static Map<String, Object> inSmallLetters(Map<?, ?> members) {
        Map<String, Object> small = new HashMap<>();
        members.forEach((name, value) -> {
            if (value != null) {
                small.put(String.valueOf(name).toLowerCase(Locale.ROOT), value);
            }
        });
        return small;
    }
}
