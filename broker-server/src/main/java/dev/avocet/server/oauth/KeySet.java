package dev.avocet.server.oauth;

import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an OAuth server. They are fetched when they are old and when a token names another key, at most
 * once in 30 s whatever tokens name. Keys that the server has not confirmed for a day are of no use any more.
 *
 * <p>{@link #keys} and {@link #isOld} on any thread; {@link #refresh} on one thread, which may wait.
 */
final class KeySet {
    static final long LEAST_BETWEEN_NS = TimeUnit.SECONDS.toNanos(30);
    private static final Logger LOG = LoggerFactory.getLogger(KeySet.class);
    private static final long OLD_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long USELESS_NS = TimeUnit.DAYS.toNanos(1);

    private final OAuthProfile profile;
    private final WebClient web;
    private final Path files;
    private final Clock clock;
    private final OAuthFigures figures;
    private final Runnable onChange;
    private volatile Known known;
    private long triedNs; // of the thread that fetches
    private boolean failing; // likewise
    private volatile String problem = "its keys were not fetched yet";

    /** @param onChange called when the keys are others */
    KeySet(OAuthProfile profile, WebClient web, Path files, Clock clock, OAuthFigures figures, Runnable onChange) {
        this.profile = profile;
        this.web = web;
        this.files = files;
        this.clock = clock;
        this.figures = figures;
        this.onChange = onChange;
        long now = clock.nanoTime();
        this.known = new Known(PublicKeys.NONE, now - USELESS_NS);
        this.triedNs = now - LEAST_BETWEEN_NS;
    }

    /** Those that can be used now. */
    PublicKeys keys() {
        Known now = known;
        return clock.nanoTime() - now.atNs < USELESS_NS ? now.keys : PublicKeys.NONE;
    }

    /** Whether they should be fetched again although they can be used. */
    boolean isOld() {
        return clock.nanoTime() - known.atNs >= OLD_NS;
    }

    /** Why there are no keys, in words. */
    String problem() {
        return problem;
    }

    /** Fetches the keys, if it was not tried too lately. */
    void refresh(Deadline deadline) {
        long now = clock.nanoTime();
        if (now - triedNs < LEAST_BETWEEN_NS) {
            return;
        }
        triedNs = now;
        figures.fetches.increment();
        try {
            PublicKeys fetched = PublicKeys.parse(profile.fetchesKeys() ? fetch(deadline) : read());
            boolean others = !fetched.equals(known.keys);
            known = new Known(fetched, clock.nanoTime());
            if (others) {
                LOG.info(
                        "OAuthProfile '{}' has {} keys of {}",
                        profile.name(),
                        fetched.entries().size(),
                        profile.keySetSource());
                onChange.run();
            }
            failing = false;
        } catch (InterruptedIOException e) {
            problem = String.valueOf(e.getMessage()); // this set of keys is not asked again
        } catch (IOException | ParseException e) {
            problem = "the keys of " + profile.keySetSource() + " cannot be had: " + e.getMessage();
            if (!failing) {
                LOG.warn("OAuthProfile '{}': {}; it is tried again", profile.name(), problem);
            }
            failing = true;
        }
    }

    private byte[] fetch(Deadline deadline) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(profile.keySetSource()))
                .header("Accept", "application/json")
                .build();
        WebClient.Answer answer = web.ask(request, deadline);
        if (answer.status() != WebClient.OK) {
            throw new IOException("the server answers " + answer.status());
        }
        return answer.body();
    }

    private byte[] read() throws IOException {
        Path file = files.resolve(profile.keySetSource());
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no such file; upload it with 'broker-admin file put'");
        }
        if (Files.size(file) > WebClient.MAX_BYTES) {
            throw new IOException("the file is larger than " + (WebClient.MAX_BYTES >> 20) + " MiB");
        }
        return Files.readAllBytes(file);
    }

    /** @param atNs when the server has said so */
    private record Known(PublicKeys keys, long atNs) {}
}
