package dev.avocet.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A client in another language, as a process. It reads one command a line and writes one line for each: {@code ok} or
 * {@code error}. Words are apart by one blank; all but the first are {@code KEY=VALUE}, the value encoded as in URLs.
 *
 * <pre>
 * connect port= container= mechanism= [user= password=] [trust=PEM]  →  ok
 * sender id= type=queue|topic address= [settled=true]                →  ok
 * receiver id= type= address= [settled= name= durable= selector=]    →  ok, and has no credit
 * send id= kind=text|bytes|map|large value= [colour= in=transaction] →  ok outcome=
 * credit id= count=                                                  →  ok
 * drain id= count= expect=                                           →  ok count=MESSAGES_HELD
 * held id=                                                           →  ok count=
 * receive id=                                                        →  ok kind= value= count=DELIVERY_COUNT
 * settle id= outcome=accepted|released|modified|rejected [in=]       →  ok
 * detach id= | close id= | disconnect                                →  ok
 * declare | discharge fail=                                          →  ok outcome=committed|aborted|failed
 * </pre>
 */
final class AmqpProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    AmqpProcess(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "amqp-process");
        reader.setDaemon(true);
        reader.start();
    }

    /** Does a command, and returns what its answer says. */
    Map<String, String> ask(String command, String... keysAndValues) {
        String answer = answer(command, keysAndValues);
        assertThat(answer).as("the answer to " + command).startsWith("ok");
        Map<String, String> words = new HashMap<>();
        for (String word : answer.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                words.put(word.substring(0, equals), decoded(word.substring(equals + 1)));
            }
        }
        return words;
    }

    /** Does a command that must fail, and returns what the client says. */
    String refused(String command, String... keysAndValues) {
        String answer = answer(command, keysAndValues);
        assertThat(answer).as("the answer to " + command).startsWith("error ");
        return decoded(answer.substring("error ".length()));
    }

    private String answer(String command, String... keysAndValues) {
        StringBuilder line = new StringBuilder(command);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            line.append(' ')
                    .append(keysAndValues[i])
                    .append('=')
                    .append(URLEncoder.encode(keysAndValues[i + 1], StandardCharsets.UTF_8));
        }
        try {
            commands.write(line.append('\n').toString());
            commands.flush();
            String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(answer)
                    .as("an answer to " + line + " within " + PATIENCE_SECONDS + " s")
                    .isNotNull();
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the client", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("ended: " + e.getMessage());
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
