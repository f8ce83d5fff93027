package dev.avocet.server.ltpa;

import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.time.Clock;
import dev.avocet.server.certificates.UnusableProfileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tries the keys of an LTPAProfile, and one token. Reads a file; one for each trial. */
public final class LtpaTrial {
    private final LTPAProfile profile;
    private final Path files;
    private final boolean fips;
    private final Clock clock;

    /**
     * Tries nothing yet.
     *
     * @param files where uploaded files are
     * @param fips as for {@link LtpaProviders}
     */
    public LtpaTrial(LTPAProfile profile, Path files, boolean fips, Clock clock) {
        this.fips = fips;
        this.profile = profile;
        this.files = files;
        this.clock = clock;
    }

    /** @param token what a client would send, or null to try the keys alone */
    public List<Step> run(@Nullable String token) {
        List<Step> steps = new ArrayList<>();
        String keys = "keys of " + profile.keyFileName();
        try {
            LtpaTokens tokens = LtpaServer.open(profile, files, fips, clock).tokens();
            steps.add(new Step(keys, true, tokens.described()));
            if (token != null) {
                steps.add(step(tokens.check(token)));
            }
        } catch (UnusableProfileException e) {
            steps.add(new Step(keys, false, String.valueOf(e.getMessage())));
        }
        return List.copyOf(steps);
    }

    private static Step step(LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Accepted accepted) {
            return new Step("token", true, "user '" + accepted.identity().userName() + "', until " + accepted.until());
        }
        return new Step("token", false, ((LoginVerdict.Refused) verdict).why());
    }

    /**
     * What came of one step.
     *
     * @param name what was tried
     * @param done whether it worked
     * @param detail in words, what there is or what to do
     */
    public record Step(String name, boolean done, String detail) {}
}
