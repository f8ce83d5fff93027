package dev.avocet.ha.link;

import dev.avocet.ha.link.LinkRefusal.Reason;
import dev.avocet.ha.trust.NoMemberException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * From the first byte to the proof of both ends. The dialer says who it is and whom it means; the listener answers with
 * its nonce; the dialer proves itself first, then the listener does. What is refused changes nothing.
 */
final class Handshake extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int MAGIC = 0x41564C4B;
    private static final int HELLO = 1;
    private static final int CHALLENGE = 2;
    private static final int DIALER_PROOF = 3;
    private static final int LISTENER_PROOF = 4;
    private static final int REFUSED = 5;

    private final LinkSettings settings;
    private final boolean dials;
    private final Supplier<LinkState> ownState;
    private final SecureRandom random;
    private final LinkEnd.Outcome outcome;
    private final byte[] nonce = new byte[Proof.NONCE_BYTES];
    private int expected;
    private @Nullable Proof proof;
    private @Nullable Future<?> timer;
    private boolean isOver;

    Handshake(LinkSettings settings, Supplier<LinkState> ownState, SecureRandom random, LinkEnd.Outcome outcome) {
        this.settings = settings;
        this.dials = settings.dials();
        this.ownState = ownState;
        this.random = random;
        this.outcome = outcome;
        this.expected = dials ? CHALLENGE : HELLO;
    }

    /** Once TLS, if there is any, is through. */
    void begin(ChannelHandlerContext context) {
        random.nextBytes(nonce);
        if (dials) {
            send(context, HELLO, out -> {
                LinkVersions spoken = settings.versions();
                out.writeInt(MAGIC).writeByte(spoken.oldest()).writeByte(spoken.latest());
                Frames.writeString(out, settings.group());
                Frames.writeString(out, settings.self());
                Frames.writeString(out, settings.partner());
                out.writeBytes(nonce);
            });
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        timer = context.executor()
                .schedule(
                        () -> fail(
                                context,
                                new LinkRefusal(
                                        Reason.TOO_SLOW,
                                        "has not proved itself within "
                                                + settings.handshake().toMillis() + " ms")),
                        settings.handshake().toMillis(),
                        TimeUnit.MILLISECONDS);
        if (context.channel().isActive() && settings.tls() == null) {
            begin(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (settings.tls() == null) {
            begin(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        LinkTls tls = settings.tls();
        if (tls != null && event instanceof SslHandshakeCompletionEvent completion && completion.isSuccess()) {
            try {
                tls.check(context.pipeline().get(SslHandler.class), dials);
                begin(context);
            } catch (NoMemberException e) {
                fail(context, refusal(e));
            }
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (isOver) {
            return;
        }
        try {
            int type = frame.readUnsignedByte();
            if (type == REFUSED) {
                onRefused(context, frame);
            } else if (type != expected) {
                fail(context, foreign("frame " + type + " in place of " + expected));
            } else {
                read(context, type, frame);
            }
        } catch (IndexOutOfBoundsException e) {
            fail(context, foreign("a frame that ends early"));
        }
    }

    private void read(ChannelHandlerContext context, int type, ByteBuf frame) {
        switch (type) {
            case HELLO -> onHello(context, frame);
            case CHALLENGE -> onChallenge(context, frame);
            default -> onProof(context, frame);
        }
    }

    private void onHello(ChannelHandlerContext context, ByteBuf frame) {
        if (frame.readInt() != MAGIC) {
            fail(context, foreign("bytes that no node of a pair sends"));
            return;
        }
        int lowest = frame.readUnsignedByte();
        int highest = frame.readUnsignedByte();
        if (lowest < 1 || highest < lowest) {
            fail(context, foreign("versions of the link that there are not"));
            return;
        }
        LinkVersions spoken = new LinkVersions(lowest, highest);
        int agreed = settings.versions().agreed(spoken);
        if (agreed == 0) {
            refuse(
                    context,
                    Reason.VERSION,
                    "speaks " + spoken + " of the link, and " + settings.self() + " speaks " + settings.versions()
                            + ": upgrade the older one");
            return;
        }
        String group = Frames.readString(frame);
        String from = Frames.readString(frame);
        String to = Frames.readString(frame);
        byte[] dialerNonce = readNonce(frame);
        if (!group.equals(settings.group())) {
            refuse(
                    context,
                    Reason.OTHER_GROUP,
                    "belongs to another group than " + settings.self()
                            + ": check the name of the group and the addresses of its members on both");
        } else if (!from.equals(settings.partner()) || !to.equals(settings.self())) {
            refuse(
                    context,
                    Reason.OTHER_NODE,
                    "is node " + from + " and looks for node " + to + ", and this is node "
                            + settings.self() + " whose partner is " + settings.partner()
                            + ": check the names and the addresses of the members on both");
        } else {
            proof = new Proof(agreed, group, from, to, dialerNonce, nonce);
            expected = DIALER_PROOF;
            send(context, CHALLENGE, out -> out.writeByte(agreed).writeBytes(nonce));
        }
    }

    private void onChallenge(ChannelHandlerContext context, ByteBuf frame) {
        int version = frame.readUnsignedByte();
        if (!settings.versions().has(version)) {
            refuse(
                    context,
                    Reason.VERSION,
                    "takes version " + version + " of the link, and " + settings.self() + " speaks "
                            + settings.versions() + ": upgrade the older one");
            return;
        }
        proof = new Proof(version, settings.group(), settings.self(), settings.partner(), nonce, readNonce(frame));
        expected = LISTENER_PROOF;
        sendProof(context, DIALER_PROOF, proof);
    }

    private void onProof(ChannelHandlerContext context, ByteBuf frame) {
        Proof shared = proof;
        assert shared != null;
        byte[] given = new byte[Proof.BYTES];
        frame.readBytes(given);
        LinkState state =
                new LinkState(Frames.readString(frame), frame.readBoolean(), frame.readLong(), frame.readLong());
        if (!MessageDigest.isEqual(given, shared.of(settings.secret(), !dials, state))) {
            refuse(
                    context,
                    Reason.WRONG_SECRET,
                    "does not know the secret of group " + settings.group() + ": give both nodes the same secret file");
            return;
        }
        LinkState own = ownState.get();
        if (!state.isEmpty() && !own.isEmpty() && !state.storeId().equals(own.storeId())) {
            refuse(
                    context,
                    Reason.OTHER_STORE,
                    "has another store, and neither is empty: decide which one is kept, and"
                            + " empty the other node's data directory");
        } else if (state.leadsEpoch() != 0 && state.leadsEpoch() < own.latestEpoch()) {
            refuse(
                    context,
                    new LinkRefusal(
                            Reason.OLDER_EPOCH,
                            "leads epoch " + state.leadsEpoch() + ", and there is epoch " + own.latestEpoch()
                                    + ": it becomes a standby by itself",
                            own.latestEpoch()));
        } else {
            if (!dials) {
                sendProof(context, LISTENER_PROOF, shared);
            }
            end();
            outcome.proven(context, state, shared.version());
        }
    }

    private void sendProof(ChannelHandlerContext context, int type, Proof shared) {
        LinkState own = ownState.get();
        byte[] mine = shared.of(settings.secret(), dials, own);
        send(context, type, out -> {
            out.writeBytes(mine);
            Frames.writeString(out, own.storeId());
            out.writeBoolean(own.isEmpty()).writeLong(own.leadsEpoch()).writeLong(own.latestEpoch());
        });
    }

    private void onRefused(ChannelHandlerContext context, ByteBuf frame) {
        Reason reason = Reason.of(frame.readUnsignedByte());
        long epoch = frame.readLong();
        // Its words are shown as they came, but without line ends; a frame before the proof is short.
        String text = Frames.readString(frame).replaceAll("\\p{Cntrl}", " ");
        fail(context, new LinkRefusal(reason, "has refused this node: " + text, epoch));
    }

    private void refuse(ChannelHandlerContext context, Reason reason, String text) {
        refuse(context, new LinkRefusal(reason, text));
    }

    private void refuse(ChannelHandlerContext context, LinkRefusal refusal) {
        context.writeAndFlush(frame(context.alloc(), settings, refusal)).addListener(ChannelFutureListener.CLOSE);
        refused(context, refusal);
    }

    /** Tells the other end why there is no link. */
    static ByteBuf frame(ByteBufAllocator allocator, LinkSettings settings, LinkRefusal refusal) {
        ByteBuf out = Frames.begin(allocator.buffer(), REFUSED);
        out.writeByte(refusal.reason().ordinal()).writeLong(refusal.epoch());
        Frames.writeString(out, settings.self() + " says: the other one " + Frames.fitting(refusal.text()));
        return Frames.end(out);
    }

    /** The other end has been told, or is about to be. */
    void refused(ChannelHandlerContext context, LinkRefusal refusal) {
        if (!isOver) {
            end();
            outcome.refused(context, refusal);
        }
    }

    private static byte[] readNonce(ByteBuf frame) {
        byte[] bytes = new byte[Proof.NONCE_BYTES];
        frame.readBytes(bytes);
        return bytes;
    }

    static LinkRefusal foreign(String what) {
        return new LinkRefusal(Reason.FOREIGN, "has sent " + what + ": it is not a node of a pair, or it is damaged");
    }

    private static void send(ChannelHandlerContext context, int type, Consumer<ByteBuf> body) {
        ByteBuf out = Frames.begin(context.alloc().buffer(), type);
        body.accept(out);
        context.writeAndFlush(Frames.end(out));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LinkTls tls = settings.tls();
        NoMemberException none = tls == null ? null : tls.explain(cause);
        if (none != null) {
            fail(context, refusal(none));
        } else if (cause instanceof DecoderException) {
            fail(context, foreign("bytes that no node of a pair sends"));
        } else if (cause instanceof IOException) {
            end();
            context.close();
        } else {
            fail(
                    context,
                    new LinkRefusal(
                            Reason.CLOSED,
                            "has got no answer, as this node could not go on: " + cause + ". This is an error of this"
                                    + " program or of its Java"));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (dials) {
            refused(
                    context,
                    new LinkRefusal(
                            Reason.CLOSED,
                            "has closed the connection before it has proved who it is: it stops, or is not a node of a"
                                    + " pair"));
        }
        end();
        context.fireChannelInactive();
    }

    /** Of a connection that could not be made, too: it is never active, and nothing is to be proved on it. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        end();
    }

    static LinkRefusal refusal(NoMemberException none) {
        Reason reason =
                switch (none.kind()) {
                    case WRONG_SECRET -> Reason.WRONG_SECRET;
                    case OTHER_GROUP -> Reason.OTHER_GROUP;
                    case OTHER_NODE -> Reason.OTHER_NODE;
                    case CERTIFICATE, REFUSES -> Reason.CERTIFICATE;
                    case TLS -> Reason.TLS;
                    case FOREIGN -> Reason.FOREIGN;
                    case TOO_SLOW -> Reason.TOO_SLOW;
                };
        return new LinkRefusal(reason, String.valueOf(none.getMessage()));
    }

    void fail(ChannelHandlerContext context, LinkRefusal refusal) {
        if (!isOver) {
            end();
            context.close();
            outcome.refused(context, refusal);
        }
    }

    private void end() {
        isOver = true;
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
    }
}
