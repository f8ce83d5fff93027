package dev.avocet.server.users;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.security.user.PasswordHash;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.core.security.user.UserNames;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.JsonTree;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The users and groups of a file, as JSON. */
final class UserJson {
    private static final BigInteger VERSION = BigInteger.ONE;

    private UserJson() {}

    /**
     * Reads a file's text.
     *
     * @throws ConfigurationException when it is no JSON
     * @throws IllegalArgumentException with what is wrong and where
     */
    static DirectoryContent parse(String source, String text) throws ConfigurationException {
        Map<?, ?> root = object(JsonTree.parse(source, text), "the file");
        require(VERSION.equals(root.get("version")), "version must be 1");
        SortedMap<String, SortedSet<String>> groups = new TreeMap<>();
        for (Object each : list(root.get("groups"), "groups")) {
            Map<?, ?> group = object(each, "groups[" + groups.size() + "]");
            String name = name(group, "groups[" + groups.size() + "]");
            require(
                    groups.put(name, names(group, "group '" + name + "'")) == null,
                    "group '" + name + "' is there twice");
        }
        SortedMap<String, StoredUser> users = new TreeMap<>();
        for (Object each : list(root.get("users"), "users")) {
            StoredUser user = user(object(each, "users[" + users.size() + "]"), "users[" + users.size() + "]");
            require(users.put(user.name(), user) == null, "user '" + user.name() + "' is there twice");
        }
        DirectoryContent content = new DirectoryContent(users, groups);
        checkGroups(content);
        return content;
    }

    static String render(DirectoryContent content) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION.intValue());
            json.writeArrayFieldStart("groups");
            for (Map.Entry<String, SortedSet<String>> group : content.groups().entrySet()) {
                json.writeStartObject();
                json.writeStringField("name", group.getKey());
                write(json, group.getValue());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("users");
            for (StoredUser user : content.users().values()) {
                write(json, user);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, StoredUser user) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", user.name());
        write(json, user.groups());
        PasswordHash password = user.password();
        if (password == null) {
            json.writeNullField("password");
        } else {
            json.writeStringField("password", password.encoded());
        }
        ScramCredential scram = user.scram();
        if (scram != null) {
            Base64.Encoder base64 = Base64.getEncoder();
            json.writeObjectFieldStart("scram");
            json.writeStringField("salt", base64.encodeToString(scram.salt()));
            json.writeNumberField("iterations", scram.iterations());
            json.writeStringField("storedKey", base64.encodeToString(scram.storedKey()));
            json.writeStringField("serverKey", base64.encodeToString(scram.serverKey()));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Collection<String> groups) throws IOException {
        json.writeArrayFieldStart("groups");
        for (String group : groups) {
            json.writeString(group);
        }
        json.writeEndArray();
    }

    private static StoredUser user(Map<?, ?> json, String where) {
        String name = name(json, where);
        String who = "user '" + name + "'";
        PasswordHash password = password(json, who);
        ScramCredential scram = scram(json.get("scram"), who);
        return new StoredUser(name, password, scram, names(json, who));
    }

    /** One that is not named was forgotten; who is meant to have none, or SCRAM's verifier alone, says null. */
    private static @Nullable PasswordHash password(Map<?, ?> json, String who) {
        if (json.containsKey("password") && json.get("password") == null) {
            return null;
        }
        String encoded = text(json, "password", who);
        try {
            return PasswordHash.parse(encoded);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(who + ": password " + e.getMessage(), e);
        }
    }

    private static @Nullable ScramCredential scram(@Nullable Object json, String who) {
        if (json == null) {
            return null;
        }
        Map<?, ?> scram = object(json, who + ": scram");
        Base64.Decoder base64 = Base64.getDecoder();
        try {
            int iterations = scram.get("iterations") instanceof BigInteger number ? number.intValueExact() : 0;
            return new ScramCredential(
                    base64.decode(text(scram, "salt", who)),
                    iterations,
                    base64.decode(text(scram, "storedKey", who)),
                    base64.decode(text(scram, "serverKey", who)));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(who + ": scram is not a SCRAM-SHA-256 verifier: " + e.getMessage(), e);
        }
    }

    private static void checkGroups(DirectoryContent content) {
        for (StoredUser user : content.users().values()) {
            requireKnown(content, user.groups(), "user '" + user.name() + "'");
        }
        for (Map.Entry<String, SortedSet<String>> group : content.groups().entrySet()) {
            requireKnown(content, group.getValue(), "group '" + group.getKey() + "'");
            require(
                    !content.closure(group.getValue()).contains(group.getKey()),
                    "group '" + group.getKey() + "' is in itself");
        }
    }

    private static void requireKnown(DirectoryContent content, Collection<String> named, String where) {
        for (String group : named) {
            require(content.groups().containsKey(group), where + ": there is no group '" + group + "'");
        }
    }

    private static String name(Map<?, ?> json, String where) {
        String name = text(json, "name", where);
        UserNames.check(where + ": name", name);
        return name;
    }

    private static SortedSet<String> names(Map<?, ?> json, String where) {
        SortedSet<String> names = new TreeSet<>();
        for (Object each : list(json.get("groups"), where + ": groups")) {
            require(each instanceof String, where + ": groups must hold names in quotes");
            names.add((String) each);
        }
        return names;
    }

    private static String text(Map<?, ?> json, String key, String where) {
        if (json.get(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(where + ": " + key + " must be there, as text in quotes");
    }

    private static List<?> list(@Nullable Object json, String where) {
        if (json == null) {
            return List.of();
        }
        if (json instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(where + " must be a list in brackets");
    }

    private static Map<?, ?> object(@Nullable Object json, String where) {
        if (json instanceof Map<?, ?> object) {
            return object;
        }
        throw new IllegalArgumentException(where + " must be an object in braces");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
