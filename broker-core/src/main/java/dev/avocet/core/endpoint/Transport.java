package dev.avocet.core.endpoint;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/** How the operating system is asked for readiness and bytes. */
public enum Transport {
    /** The best one that this machine has: epoll, else NIO. */
    AUTO("auto"),
    /** Linux epoll by Netty's native library; the fastest here. */
    EPOLL("epoll"),
    /** The JDK's selector; everywhere. */
    NIO("nio"),
    /** Linux io_uring by Netty's native library; on request only. */
    IO_URING("io_uring");

    private final String word;

    Transport(String word) {
        this.word = word;
    }

    /** What {@link #AUTO} stands for on this machine. */
    public static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    public boolean isAvailable() {
        return switch (this) {
            case AUTO -> best().isAvailable();
            case EPOLL -> Epoll.isAvailable();
            case NIO -> true;
            case IO_URING -> IoUring.isAvailable();
        };
    }

    IoHandlerFactory handlers() {
        return switch (this) {
            case AUTO -> best().handlers();
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
        };
    }

    Class<? extends ServerChannel> serverChannel() {
        return switch (this) {
            case AUTO -> best().serverChannel();
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
            case IO_URING -> IoUringServerSocketChannel.class;
        };
    }

    /** As it is written in the startup file. */
    @Override
    public String toString() {
        return word;
    }
}
