package dev.avocet.core.queue;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.message.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Properties with everything that queues look at, in a format that the body belongs to: its first byte is not the
 * payload's.
 */
public record TestProperties(
        int priority,
        boolean isPersistent,
        long deliverAtWallMs,
        @Nullable String groupId,
        List<UserProperty> userProperties)
        implements MessageProperties {
    public static final TestProperties PLAIN = new TestProperties(4, true, 0, null, List.of());
    public static final PropertiesFormat FORMAT = new Format();

    public TestProperties withPriority(int other) {
        return new TestProperties(other, isPersistent, deliverAtWallMs, groupId, userProperties);
    }

    public TestProperties transientOne() {
        return new TestProperties(priority, false, deliverAtWallMs, groupId, userProperties);
    }

    public TestProperties at(long wallMs) {
        return new TestProperties(priority, isPersistent, wallMs, groupId, userProperties);
    }

    public TestProperties inGroup(@Nullable String group) {
        return new TestProperties(priority, isPersistent, deliverAtWallMs, group, userProperties);
    }

    public TestProperties with(String name, String value) {
        List<UserProperty> more = new ArrayList<>(userProperties);
        more.add(new UserProperty(name, value));
        return new TestProperties(priority, isPersistent, deliverAtWallMs, groupId, more);
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public boolean isPayloadText() {
        return true;
    }

    @Override
    public @Nullable String contentType() {
        return null;
    }

    @Override
    public @Nullable String responseTopic() {
        return null;
    }

    @Override
    public byte @Nullable [] correlationData() {
        return null;
    }

    @Override
    public int format() {
        return FORMAT.number();
    }

    @Override
    public byte[] payloadOf(byte[] body) {
        return Arrays.copyOfRange(body, 1, body.length);
    }

    @Override
    public byte[] encoded() {
        StringBuilder text = new StringBuilder();
        text.append(priority)
                .append('|')
                .append(isPersistent)
                .append('|')
                .append(deliverAtWallMs)
                .append('|');
        text.append(groupId == null ? "" : groupId);
        userProperties.forEach(
                one -> text.append('|').append(one.name()).append('|').append(one.value()));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int sizeBytes() {
        return 50;
    }

    private static final class Format implements PropertiesFormat {
        @Override
        public int number() {
            return 99;
        }

        @Override
        public MessageProperties decode(byte[] encoded) {
            String[] parts = new String(encoded, StandardCharsets.UTF_8).split("\\|", -1);
            List<UserProperty> properties = new ArrayList<>();
            for (int i = 4; i < parts.length; i += 2) {
                properties.add(new UserProperty(parts[i], parts[i + 1]));
            }
            return new TestProperties(
                    Integer.parseInt(parts[0]),
                    Boolean.parseBoolean(parts[1]),
                    Long.parseLong(parts[2]),
                    parts[3].isEmpty() ? null : parts[3],
                    properties);
        }
    }
}
