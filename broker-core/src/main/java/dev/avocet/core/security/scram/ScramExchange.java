package dev.avocet.core.security.scram;

import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.user.User;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@link ScramServer} as one of the exchanges that a front end may meet. */
public final class ScramExchange implements AuthenticationExchange {
    private final ScramAuthenticator scram;
    private final ScramServer server;
    private final @Nullable String commonName;

    public ScramExchange(ScramAuthenticator scram, @Nullable String commonName) {
        this.scram = scram;
        this.server = scram.begin();
        this.commonName = commonName;
    }

    @Override
    public void step(byte @Nullable [] clientData, Consumer<Step> answer) {
        answer.accept(clientData == null ? new Step.Continue(new byte[0]) : stepOf(server.onMessage(clientData)));
    }

    @Override
    public @Nullable String userName() {
        return server.userName();
    }

    private Step stepOf(ScramReply reply) {
        if (reply instanceof ScramReply.Challenge challenge) {
            return new Step.Continue(challenge.utf8());
        }
        User user = reply instanceof ScramReply.Accepted accepted ? scram.userOf(accepted.userName()) : null;
        if (user != null) {
            ClientIdentity identity = new ClientIdentity(user.name(), user.groups(), commonName);
            return new Step.Success(identity, ((ScramReply.Accepted) reply).utf8());
        }
        return new Step.Failure(LoginRefusal.BAD_CREDENTIALS, server.userName());
    }
}
