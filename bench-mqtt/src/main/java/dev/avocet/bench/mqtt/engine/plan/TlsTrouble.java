package dev.avocet.bench.mqtt.engine.plan;

import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Behind the TLS handler of each connection: says what the client had offered when the server refuses the handshake,
 * as the alert itself names nothing. Any loop.
 */
@Sharable
public final class TlsTrouble extends ChannelInboundHandlerAdapter {
    private final @Nullable Tls tls;

    public TlsTrouble(@Nullable Tls tls) {
        this.tls = tls;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        String what = offered(cause);
        ctx.fireExceptionCaught(what == null ? cause : new SSLException(what, cause));
    }

    private @Nullable String offered(Throwable cause) {
        if (tls == null || (tls.cipherSuites().isEmpty() && tls.protocols().isEmpty())) {
            return null;
        }
        for (Throwable each = cause; each != null; each = each.getCause()) {
            String words = String.valueOf(each.getMessage()).toUpperCase(Locale.ROOT);
            boolean isOfOffer = words.contains("HANDSHAKE_FAILURE")
                    || words.contains("INSUFFICIENT_SECURITY")
                    || words.contains("PROTOCOL_VERSION");
            if (each instanceof SSLException && isOfOffer) {
                return "the server takes none of the cipher suites and TLS versions that this run offers: "
                        + (tls.cipherSuites().isEmpty() ? "any suite" : String.join(", ", tls.cipherSuites()))
                        + " with "
                        + (tls.protocols().isEmpty() ? "any version" : String.join(", ", tls.protocols()))
                        + "; its alert was " + each.getMessage()
                        + ". Choose others with --cipher and --tls-protocol, or allow them at the server";
            }
        }
        return null;
    }
}
