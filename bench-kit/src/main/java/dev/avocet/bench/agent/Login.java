package dev.avocet.bench.agent;

import dev.avocet.bench.agent.Message.Hello;
import dev.avocet.bench.agent.Message.Refused;
import dev.avocet.bench.agent.Message.Welcome;
import java.io.IOException;

/**
 * How both sides show that they know the secret, and are of the same version. Afterwards the wire is trusted.
 * Stateless.
 */
final class Login {
    private static final String BY_CONTROLLER = "avocet bench, by the controller";
    private static final String BY_AGENT = "avocet bench, by the agent";
    private static final String TO_AGENT = "avocet bench, frames to the agent";
    private static final String TO_CONTROLLER = "avocet bench, frames to the controller";

    private Login() {}

    static void asAgent(Wire wire, Secret secret, String version) throws IOException {
        byte[] own = Secret.nonce();
        wire.send(new Hello(version, own));
        if (!(wire.receive() instanceof Message.Login login)) {
            throw new IOException("no login");
        }
        byte[] other = login.nonce();
        if (!Secret.areEqual(login.proof(), secret.code(BY_CONTROLLER, own, other))) {
            throw refused(wire, "wrong secret");
        }
        if (!login.version().equals(version)) {
            throw refused(wire, differ(version, login.version()));
        }
        wire.send(new Welcome(secret.code(BY_AGENT, own, other)));
        wire.trust(secret.code(TO_CONTROLLER, own, other), secret.code(TO_AGENT, own, other));
    }

    /** @throws IllegalArgumentException with a message for the user, if the other side is not as it must be */
    static void asController(Wire wire, Secret secret, String version) throws IOException {
        if (!(wire.receive() instanceof Hello hello)) {
            throw new IllegalArgumentException("is not an agent");
        }
        if (!hello.version().equals(version)) {
            throw new IllegalArgumentException(differ(hello.version(), version));
        }
        byte[] own = Secret.nonce();
        byte[] other = hello.nonce();
        wire.send(new Message.Login(version, own, secret.code(BY_CONTROLLER, other, own)));
        Message answer = wire.receive();
        if (answer instanceof Refused refused) {
            throw new IllegalArgumentException(refused.why());
        }
        if (!(answer instanceof Welcome welcome)
                || !Secret.areEqual(welcome.proof(), secret.code(BY_AGENT, other, own))) {
            throw new IllegalArgumentException("does not know the secret");
        }
        wire.trust(secret.code(TO_AGENT, other, own), secret.code(TO_CONTROLLER, other, own));
    }

    private static IOException refused(Wire wire, String why) throws IOException {
        wire.send(new Refused(why));
        return new IOException(why);
    }

    private static String differ(String agent, String controller) {
        return "is of version " + agent + " and the controller of " + controller + ": both must be of the same";
    }
}
