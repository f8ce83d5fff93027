package dev.avocet.server.config;

/** How the broker talks to the kernel about sockets. */
public enum Transport {
    /** epoll where its native library loads, else NIO. */
    AUTO("auto"),
    /** Linux epoll. */
    EPOLL("epoll"),
    /** Java's own selectors; anywhere. */
    NIO("nio"),
    /** Linux io_uring. */
    IO_URING("io_uring");

    private final String jsonName;

    Transport(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
