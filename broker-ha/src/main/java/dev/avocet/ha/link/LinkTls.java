package dev.avocet.ha.link;

import dev.avocet.core.tls.key.TlsException;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.MemberTrust;
import dev.avocet.ha.trust.NoMemberException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS of the link, between this node and its partner only. Thread-safe. */
public final class LinkTls {
    private final MemberTls member;
    private final MemberTrust trust;
    private final SslContext dialing;
    private final SslContext listening;

    private LinkTls(MemberTls member, MemberTrust trust, SslContext dialing, SslContext listening) {
        this.member = member;
        this.trust = trust;
        this.dialing = dialing;
        this.listening = listening;
    }

    /** @throws TlsException when this Java cannot */
    public static LinkTls of(MemberTls member, String partner) throws TlsException {
        MemberTrust trust = member.trusting(Set.of(partner));
        try {
            return new LinkTls(
                    member,
                    trust,
                    SslContextBuilder.forClient()
                            .sslProvider(SslProvider.JDK)
                            .keyManager(member.keys())
                            .trustManager(trust)
                            .protocols(MemberTls.VERSION)
                            .build(),
                    SslContextBuilder.forServer(member.keys())
                            .sslProvider(SslProvider.JDK)
                            .trustManager(trust)
                            .clientAuth(ClientAuth.REQUIRE)
                            .protocols(MemberTls.VERSION)
                            .build());
        } catch (SSLException e) {
            throw new TlsException("TLS of the link cannot be set up: " + e.getMessage(), e);
        }
    }

    SslHandler newHandler(ByteBufAllocator allocator, boolean dials) {
        return (dials ? dialing : listening).newHandler(allocator);
    }

    /** To be asked when the TLS handshake is complete, whether it is the partner still. */
    void check(SslHandler handler, boolean dials) throws NoMemberException {
        trust.check(handler.engine().getSession(), !dials);
    }

    /** Why there is no TLS; null when the connection has but ended. */
    @Nullable NoMemberException explain(Throwable failure) {
        return member.explain(failure);
    }

    MemberTls member() {
        return member;
    }

    @Override
    public String toString() {
        return "TLS";
    }
}
