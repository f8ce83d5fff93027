package dev.avocet.core.session;

import java.util.function.Consumer;

/** A protocol state that only knows when it is over. */
record EndCounting(Runnable onEnd) implements ProtocolState {
    @Override
    public void onSessionEnd() {
        onEnd.run();
    }

    @Override
    public void replay(byte[] bytes, int from, int to) {}

    @Override
    public void snapshot(Consumer<byte[]> entries) {}

    @Override
    public void onRestored(ClientSession session) {}
}
