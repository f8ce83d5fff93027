/** Frames of AMQP 1.0, for both ends of a connection. Start at {@link dev.avocet.amqp.frame.FrameWriter}. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"
}) // ProtonJ2 only names its module in the manifest.
module dev.avocet.amqp.frames {
    requires transitive io.netty.buffer;
    requires transitive org.apache.qpid.protonj2;
    requires static transitive org.jspecify;

    exports dev.avocet.amqp.frame;
}
