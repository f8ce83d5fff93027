package dev.avocet.ha.trust;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the member's certificate to every asker. Connections that begin while it is replaced go on with the one that
 * they have begun with. Thread-safe.
 */
final class MemberKeys extends X509ExtendedKeyManager {
    private volatile Shown shown;

    MemberKeys(Identity identity) {
        shown = new Shown(1, identity, null);
    }

    void replace(Identity identity) {
        Shown before = shown;
        shown = new Shown(before.number + 1, identity, before.identity);
    }

    private @Nullable String alias(String... keyTypes) {
        Shown now = shown;
        return Arrays.stream(keyTypes).anyMatch(keyType -> isOf(now.identity, keyType))
                ? String.valueOf(now.number)
                : null;
    }

    /** Bouncy Castle asks for keys of TLS 1.3 by algorithm and curve, as EC/secp256r1, and Java by the algorithm. */
    private static boolean isOf(Identity identity, String keyType) {
        String algorithm = identity.key().getAlgorithm();
        return keyType.equals(algorithm)
                || (identity.chain().get(0).getPublicKey() instanceof ECKey key
                        && keyType.equals(algorithm + "/secp"
                                + key.getParams().getCurve().getField().getFieldSize() + "r1"));
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return alias(keyTypes);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return alias(keyType);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return getServerAliases(keyType, issuers);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Identity identity = shown.of(alias);
        return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Identity identity = shown.of(alias);
        return identity == null ? null : identity.key();
    }

    /** @param number counts replacements, as the alias of the identity */
    private record Shown(
            int number, Identity identity, @Nullable Identity before) {
        @Nullable Identity of(String alias) {
            if (alias.equals(String.valueOf(number))) {
                return identity;
            }
            return alias.equals(String.valueOf(number - 1)) ? before : null;
        }
    }
}
