package dev.avocet.jms.client.wire.login;

import java.security.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.qpid.protonj2.engine.sasl.client.Mechanism;
import org.apache.qpid.protonj2.engine.sasl.client.SaslCredentialsProvider;
import org.apache.qpid.protonj2.engine.sasl.client.SaslMechanismSelector;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/** What SASL asks, and in which order mechanisms are tried: ours, not the server's. */
public final class Login extends SaslMechanismSelector implements SaslCredentialsProvider {
    private static final List<String> PREFERENCE =
            List.of("EXTERNAL", Bearer.NAME, "SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN", "ANONYMOUS");

    private static final Symbol ANONYMOUS = Symbol.valueOf("ANONYMOUS");

    private final List<Symbol> order;
    private final String host;
    private final String username;
    private final String password;
    private final @Nullable Principal principal;
    private final @Nullable String token;
    private boolean passesBy;

    public Login(
            final List<String> mechanisms,
            final String host,
            final Credentials credentials,
            final @Nullable Principal principal) {
        super(symbols(mechanisms));
        this.order = (mechanisms.isEmpty() ? PREFERENCE : mechanisms)
                .stream().map(Symbol::valueOf).toList();
        this.host = host;
        this.username = credentials.username();
        this.password = credentials.password();
        this.principal = principal;
        this.token = credentials.token();
    }

    private static Set<Symbol> symbols(final List<String> mechanisms) {
        return (mechanisms.isEmpty() ? PREFERENCE : mechanisms)
                .stream().map(Symbol::valueOf).collect(Collectors.toSet());
    }

    @Override
    public @Nullable Mechanism select(final Symbol[] offered, final SaslCredentialsProvider credentials) {
        final List<Symbol> ours = new ArrayList<>(order);
        ours.retainAll(List.of(offered));
        // A client that gives a name does not want to be anonymous.
        if (!username.isEmpty() || token != null) {
            ours.remove(ANONYMOUS);
        }
        final Mechanism chosen = super.select(ours.toArray(Symbol[]::new), credentials);
        passesBy = chosen == null && Arrays.equals(offered, new Symbol[] {ANONYMOUS});
        return passesBy ? createMechanism(ANONYMOUS, credentials) : chosen;
    }

    /**
     * The server asks no client who it is, and this one wants to say so: it stays only to hear where to go instead, as
     * a standby tells it.
     */
    boolean passesBy() {
        return passesBy;
    }

    @Override
    protected Mechanism createMechanism(final Symbol name, final SaslCredentialsProvider credentials) {
        if (name.toString().equals(Bearer.NAME)) {
            return new Bearer(token);
        }
        final Scram scram = Scram.of(name.toString());
        return scram == null ? super.createMechanism(name, credentials) : scram;
    }

    /** For whom a server's mechanisms do not fit, and which would. */
    String offers() {
        final String who = username.isEmpty()
                ? "this client has no user name"
                : "this client has user name '" + username + "' and "
                        + (password.isEmpty() ? "no password" : "a password");
        return who + ", " + (token == null ? "no token" : "a token") + ", "
                + (principal == null ? "no client certificate" : "a client certificate") + ", and takes " + order;
    }

    @Override
    public String vhost() {
        return host;
    }

    @Override
    public String username() {
        return username;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public @Nullable Principal localPrincipal() {
        return principal;
    }
}
