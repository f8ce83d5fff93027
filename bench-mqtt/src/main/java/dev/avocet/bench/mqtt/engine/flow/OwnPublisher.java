package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.mqtt.files.OwnMessage;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Has one client send messages of one's own in turn: to their topics, or to the client's in turn. Owned by its lane's
 * loop; it does not allocate.
 */
public final class OwnPublisher {
    private final OwnMessages messages;

    /** The client's topics first, then those that messages name. */
    private final PublishStream[] streams;

    /** By message: its stream, or -1 for those of the client in turn. */
    private final int[] streamOf;

    private final int clientStreams;
    private int turn;
    private int streamTurn;
    private OwnMessage message;
    private PublishStream stream;

    /** @param streams the client's, and behind them one for each of the messages' topics */
    public OwnPublisher(OwnMessages messages, PublishStream[] streams) {
        this.messages = messages;
        this.streams = streams;
        clientStreams = streams.length - messages.topics().size();
        streamOf = IntStream.range(0, messages.count())
                .map(index -> {
                    String topic = messages.message(index).topic();
                    return topic == null
                            ? -1
                            : clientStreams + messages.topics().indexOf(topic);
                })
                .toArray();
        message = messages.message(0);
        stream = streams[0];
        for (int i = 0; i < messages.count(); i++) {
            // Says now what would be wrong in the middle of a run.
            streams[0].with(messages.message(i).properties());
        }
    }

    /** Of all that it sends. */
    int maxQos() {
        int usual = Arrays.stream(streams).mapToInt(PublishStream::qos).max().orElse(0);
        return IntStream.range(0, messages.count())
                .map(index -> {
                    Integer own = messages.message(index).qos();
                    return own == null ? usual : own;
                })
                .max()
                .orElse(0);
    }

    /** Goes on to the next message. @return its stream */
    public PublishStream next() {
        message = messages.message(turn);
        int fixed = streamOf[turn];
        turn = turn + 1 == messages.count() ? 0 : turn + 1;
        if (fixed >= 0) {
            stream = streams[fixed];
        } else {
            stream = streams[streamTurn];
            streamTurn = streamTurn + 1 == clientStreams ? 0 : streamTurn + 1;
        }
        return stream;
    }

    public int qos() {
        Integer own = message.qos();
        return own == null ? stream.qos() : own;
    }

    public int maxPacketBytes() {
        return stream.maxPacketBytes(message);
    }

    /** @return the index behind it */
    public int write(byte[] to, int start, int identifier, long intendedNs) {
        return stream.write(to, start, identifier, message, qos(), intendedNs);
    }
}
