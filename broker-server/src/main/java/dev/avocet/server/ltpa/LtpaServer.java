package dev.avocet.server.ltpa;

import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.time.Clock;
import dev.avocet.server.certificates.UnusableProfileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one LTPAProfile, which are read again when their file has changed; the file is looked at when a login
 * comes, once in two seconds at most. While a new file cannot be used the keys before it count. Thread-safe; reads a
 * file, so it is not for event loops.
 */
final class LtpaServer {
    static final long LOOK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

    private static final Logger LOG = LoggerFactory.getLogger(LtpaServer.class);
    private static final int MAX_FILE_BYTES = 64 << 10;

    private final LTPAProfile profile;
    private final Path file;
    private final Clock clock;
    private State state;

    private LtpaServer(LTPAProfile profile, Path file, Clock clock, State state) {
        this.profile = profile;
        this.file = file;
        this.clock = clock;
        this.state = state;
    }

    /**
     * Reads the keys.
     *
     * @param fips as for {@link LtpaProviders}
     */
    static LtpaServer open(LTPAProfile profile, Path files, boolean fips, Clock clock) throws UnusableProfileException {
        if (fips) {
            throw new UnusableProfileException(
                    "LTPA tokens need Triple DES and SHA-1, which FIPS 140 does not approve; let clients use an"
                            + " OAuthProfile, or let security.fips of the startup file be false",
                    null);
        }
        Path file = files.resolve(profile.keyFileName());
        FileState seen = FileState.of(file);
        return new LtpaServer(
                profile,
                file,
                clock,
                new State(new LtpaTokens(profile, read(profile, file), clock), seen, clock.nanoTime()));
    }

    /** What checks tokens by the keys as they are now. */
    synchronized LtpaTokens tokens() { // alone; a look at a file long, and the reading of it when it has changed
        long now = clock.nanoTime();
        if (now - state.lookedAtNs >= LOOK_INTERVAL_NS) {
            FileState seen = FileState.of(file);
            LtpaTokens tokens = state.seen.equals(seen) ? state.tokens : newer();
            state = new State(tokens, seen, now);
        }
        return state.tokens;
    }

    private LtpaTokens newer() {
        try {
            LtpaTokens tokens = new LtpaTokens(profile, read(profile, file), clock);
            LOG.info("LTPAProfile '{}': the keys of '{}' were read again", profile.name(), profile.keyFileName());
            return tokens;
        } catch (UnusableProfileException e) {
            LOG.error("LTPAProfile '{}' keeps the keys that it had: {}", profile.name(), e.getMessage());
            return state.tokens;
        }
    }

    private static LtpaKeys read(LTPAProfile profile, Path file) throws UnusableProfileException {
        String name = profile.keyFileName();
        try {
            if (!Files.isRegularFile(file)) {
                throw new UnusableProfileException(
                        "KeyFileName: there is no file '" + name + "'; upload it with 'broker-admin file put'", null);
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new UnusableProfileException(
                        "KeyFileName: '" + name + "' is larger than " + MAX_FILE_BYTES + " bytes", null);
            }
            return LtpaKeys.parse(
                    Files.readString(file, StandardCharsets.ISO_8859_1),
                    profile.password().reveal());
        } catch (IOException e) {
            throw new UnusableProfileException("KeyFileName: '" + name + "' cannot be read", e);
        }
    }

    private record State(LtpaTokens tokens, FileState seen, long lookedAtNs) {}

    /** By what it is seen that a file is another one. */
    private record FileState(
            @Nullable FileTime changed,
            long bytes,
            @Nullable Object key) {
        static FileState of(Path file) {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return new FileState(now.lastModifiedTime(), now.size(), now.fileKey());
            } catch (IOException e) {
                return new FileState(null, 0, null);
            }
        }
    }
}
