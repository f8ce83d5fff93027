package dev.avocet.server.rest;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Shape;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.BooleanValue;
import dev.avocet.core.config.value.ChoiceValue;
import dev.avocet.core.config.value.NumberValue;
import dev.avocet.core.config.value.TextValue;
import dev.avocet.server.monitor.DashboardFigure;
import dev.avocet.server.monitor.FigureAdvice;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Option;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes the routes and the objects in the form of OpenAPI 3.0, from the very tables that the broker works with. */
final class OpenApi {
    private static final Pattern PARAMETER = Pattern.compile("\\{([A-Za-z]+)}");
    private static final String DESCRIPTION = "description";
    private static final String SCHEMA = "schema";
    private static final String REFUSAL = "Refusal";
    /** What most requests can be answered with, by HTTP status. */
    private static final SortedMap<String, String> REFUSALS = new TreeMap<>(Map.of(
            "400", "a rule is broken, or the request is not understood",
            "401", "no user name and password, or wrong ones, or a token that is not good any more",
            "403", "the authority is missing",
            "409", "something else needs it",
            "412", "another administrator has changed or created it meanwhile",
            "413", "the body is too large",
            "429", "too many logins have failed",
            "503", "the disk refused it, or the broker starts or stops"));

    private OpenApi() {}

    static Map<String, Object> document(List<RestRoute> routes, List<String> prefixes, String version) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("openapi", "3.0.3");
        tree.put(
                "info",
                Map.of(
                        "title",
                        "Avocet administration",
                        "version",
                        version,
                        DESCRIPTION,
                        "Changes take an If-Match header with the ETag of what was read."));
        tree.put(
                "servers",
                prefixes.stream().map(prefix -> Map.of("url", prefix)).toList());
        tree.put("security", List.of(Map.of("basic", List.of()), Map.of("bearer", List.of())));
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        routes.forEach(route -> paths.computeIfAbsent(route.path(), path -> new LinkedHashMap<>())
                .put(route.method().name().toLowerCase(Locale.ROOT), operation(route)));
        tree.put("paths", paths);
        tree.put("x-dashboard", dashboard());
        tree.put(
                "components",
                Map.of(
                        "securitySchemes",
                                Map.of(
                                        "basic", Map.of("type", "http", "scheme", "basic"),
                                        "bearer", Map.of("type", "http", "scheme", "bearer")),
                        "schemas", schemas()));
        return tree;
    }

    /** The figures of the console's dashboard, by name. */
    private static Map<String, Object> dashboard() {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (DashboardFigure figure : DashboardFigure.all()) {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put(DESCRIPTION, figure.meaning());
            advise(told, figure.advice());
            figures.put(figure.name(), told);
        }
        return figures;
    }

    private static void advise(Map<String, Object> figure, FigureAdvice advice) {
        figure.put("x-worry", advice.worry());
        figure.put("x-remedy", advice.remedy());
    }

    private static Map<String, Object> operation(RestRoute route) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("summary", route.summary());
        operation.put(DESCRIPTION, "Authority: " + authority(route));
        operation.put("parameters", parameters(route));
        if (!route.body().equals(RouteBody.NONE)) {
            operation.put(
                    "requestBody",
                    Map.of(
                            "required",
                            true,
                            "content",
                            Map.of(
                                    route.body().type(),
                                    Map.of(SCHEMA, route.body().schema()))));
        }
        Map<String, Object> responses = new LinkedHashMap<>();
        String success = route.onlyBegins() ? "202" : "200";
        responses.put(success, route.columns().isEmpty() ? response("done", route.answerType()) : table(route));
        REFUSALS.forEach((status, why) -> responses.put(status, refusal(why)));
        responses.put(
                "default", response("Code and Message say what is wrong, and Problems where", "application/json"));
        operation.put("responses", responses);
        return operation;
    }

    private static String authority(RestRoute route) {
        return route.anyOf().isEmpty()
                ? "any"
                : String.join(
                        " or ",
                        route.anyOf().stream()
                                .map(AdminAction::toString)
                                .sorted()
                                .toList());
    }

    private static Map<String, Object> refusal(String description) {
        Map<String, Object> refusal = Map.of("$ref", "#/components/schemas/" + REFUSAL);
        return Map.of(DESCRIPTION, description, "content", Map.of("application/json", Map.of(SCHEMA, refusal)));
    }

    private static Map<String, Object> response(String description, String type) {
        return Map.of(DESCRIPTION, description, "content", Map.of(type, Map.of()));
    }

    /** What is told of each thing. */
    private static Map<String, Object> table(RestRoute route) {
        Map<String, Object> properties = new LinkedHashMap<>();
        route.columns().forEach(column -> properties.put(column.name(), column(column)));
        Map<String, Object> row = Map.of("type", "object", "properties", properties);
        return Map.of(DESCRIPTION, "what there is to tell", "content", Map.of("application/json", Map.of(SCHEMA, row)));
    }

    private static Map<String, Object> column(Column<?> column) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", column.type());
        schema.put(DESCRIPTION, column.description());
        FigureAdvice.of(column.name()).ifPresent(advice -> advise(schema, advice));
        return schema;
    }

    private static Map<String, Object> query(Option option) {
        Map<String, Object> schema = new LinkedHashMap<>(text());
        if (!option.values().isEmpty()) {
            schema.put("enum", option.values());
            schema.put("default", option.values().get(0));
        }
        return Map.of("name", option.name(), "in", "query", DESCRIPTION, option.description(), SCHEMA, schema);
    }

    private static List<Map<String, Object>> parameters(RestRoute route) {
        List<Map<String, Object>> parameters = new ArrayList<>();
        Matcher inPath = PARAMETER.matcher(route.path());
        while (inPath.find()) {
            parameters.add(Map.of("name", inPath.group(1), "in", "path", "required", true, SCHEMA, text()));
        }
        boolean isConfiguration = route.path().startsWith("/configuration");
        if (isConfiguration && route.method() != HandlerType.GET) {
            parameters.add(Map.of("name", "If-Match", "in", "header", SCHEMA, text()));
        }
        if (isConfiguration && route.method() == HandlerType.DELETE) {
            List.of("DiscardMessages", "DiscardSharers", "Force")
                    .forEach(name ->
                            parameters.add(Map.of("name", name, "in", "query", SCHEMA, Map.of("type", "boolean"))));
        }
        route.options().forEach(option -> parameters.add(query(option)));
        return parameters;
    }

    private static Map<String, Object> text() {
        return Map.of("type", "string");
    }

    private static Map<String, Object> schemas() {
        Map<String, Object> schemas = new LinkedHashMap<>();
        ObjectTypes.all().forEach(type -> schemas.put(type.name(), schema(type)));
        schemas.put(
                REFUSAL,
                Map.of(
                        "type",
                        "object",
                        "required",
                        List.of("Version", "Code", "Message"),
                        "properties",
                        Map.of("Version", text(), "Code", text(), "Message", text(), "Problems", problems())));
        return schemas;
    }

    private static Map<String, Object> problems() {
        Map<String, Object> problem = Map.of(
                "type",
                "object",
                "properties",
                Map.of("Kind", text(), "Object", text(), "Property", text(), "Message", text()));
        return Map.of("type", "array", "items", problem);
    }

    private static Map<String, Object> schema(ObjectType type) {
        Map<String, Object> properties = new LinkedHashMap<>();
        type.properties().forEach(property -> properties.put(property.name(), schema(property)));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put(
                DESCRIPTION,
                type.documentation()
                        + (type.shape() == Shape.VALUES ? " Each stands by itself, beside the types of objects." : ""));
        List<String> required = type.properties().stream()
                .filter(property -> property.is(Trait.REQUIRED) && !property.is(Trait.KEY))
                .map(Property::name)
                .toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("properties", properties);
        return schema;
    }

    private static Map<String, Object> schema(Property property) {
        Map<String, Object> schema = new LinkedHashMap<>();
        if (property.type() instanceof NumberValue number && !number.orUnlimited()) {
            schema.put("type", "integer");
            schema.put("format", "int64");
            schema.put("minimum", number.min());
            schema.put("maximum", number.max());
        } else if (property.type() instanceof BooleanValue) {
            schema.put("type", "boolean");
        } else {
            schema.put("type", "string");
        }
        if (property.type() instanceof ChoiceValue choice) {
            schema.put("enum", choice.words());
        } else if (property.type() instanceof TextValue text) {
            schema.put("maxLength", (long) text.maxLength());
        }
        schema.put(
                DESCRIPTION,
                property.documentation() + " Takes " + property.type().describe() + ".");
        if (property.type().isSecret()) {
            schema.put("writeOnly", true);
        } else if (property.is(Trait.READ_ONLY)) {
            schema.put("readOnly", true);
        }
        Object usual = defaultOf(property.defaultText(), String.valueOf(schema.get("type")));
        if (usual != null) {
            schema.put("default", usual);
        }
        return schema;
    }

    /** In the type of the schema; null where there is none. */
    private static @Nullable Object defaultOf(String text, String type) {
        return switch (type) {
            case "boolean" -> text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : null;
            case "integer" -> text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
            default -> text.isEmpty() ? null : text;
        };
    }
}
