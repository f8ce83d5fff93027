package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A client in another language, as a process. It reads one command a line and writes one line for each answer and each
 * message; words are apart by one blank, and an empty topic is a hyphen:
 *
 * <pre>
 * connect PORT CLIENT_ID VERSION clean=BOOLEAN [will=TOPIC] [KEY=VALUE...]  →  connected SESSION_PRESENT
 * subscribe FILTER QOS                                                    →  subscribed CODE
 * publish TOPIC QOS RETAIN PAYLOAD [KEY=VALUE...]                         →  published CODE
 * disconnect                                                              →  disconnected
 *                                                                message TOPIC QOS RETAIN PAYLOAD [KEY=VALUE...]
 * </pre>
 */
final class LineClient implements TestClient {
    private final Process process;
    private final Writer commands;
    private final Inbox<String> answers = new Inbox<>();
    private final Inbox<Received> messages = new Inbox<>();
    private boolean sessionPresent;

    /** Starts the process and connects. */
    LineClient(List<String> command, Map<String, String> environment, int port, int version, ClientOptions options) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "line-client-" + options.clientId());
        reader.setDaemon(true);
        reader.start();
        connect(port, version, options);
    }

    private void connect(int port, int version, ClientOptions options) {
        Map<String, String> words = new HashMap<>(options.properties());
        words.put("clean", Boolean.toString(options.clean()));
        if (options.willTopic() != null) {
            words.put("will", options.willTopic());
        }
        String answer = ask("connected", "connect " + port + " " + options.clientId() + " " + version + text(words));
        sessionPresent = Boolean.parseBoolean(answer);
    }

    @Override
    public boolean sessionPresent() {
        return sessionPresent;
    }

    @Override
    public int subscribe(String filter, int qos) {
        return Integer.parseInt(ask("subscribed", "subscribe " + filter + " " + qos));
    }

    @Override
    public int publish(String topic, int qos, boolean retain, String payload, Map<String, String> properties) {
        String name = topic.isEmpty() ? "-" : topic;
        String command = "publish " + name + " " + qos + " " + retain + " " + payload + text(properties);
        return Integer.parseInt(ask("published", command));
    }

    @Override
    public Received receive() {
        return messages.take("a message");
    }

    @Override
    public boolean isIdle() {
        return messages.isEmpty();
    }

    @Override
    public void disconnect() {
        ask("disconnected", "disconnect");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Sends a command and returns what follows the expected word of the answer. */
    private String ask(String expected, String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String answer = answers.take("an answer to " + command);
        assertThat(answer).as("the answer to " + command).startsWith(expected);
        return answer.substring(expected.length()).strip();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("message ")) {
                    messages.add(message(line.split(" ", -1)));
                } else {
                    answers.add(line);
                }
            }
        } catch (IOException e) {
            answers.add("ended: " + e.getMessage());
        }
    }

    private static Received message(String[] words) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 5; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            properties.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new Received(
                words[1], Integer.parseInt(words[2]), Boolean.parseBoolean(words[3]), words[4], Map.copyOf(properties));
    }

    private static String text(Map<String, String> words) {
        StringBuilder text = new StringBuilder();
        words.forEach((key, value) -> text.append(' ').append(key).append('=').append(value));
        return text.toString();
    }
}
