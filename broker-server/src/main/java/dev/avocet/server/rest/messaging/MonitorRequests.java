package dev.avocet.server.rest.messaging;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.monitor.Monitor;
import dev.avocet.server.monitor.table.MonitorException;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.Report;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells what happens in the broker. */
public final class MonitorRequests {
    private static final String PATH = "/monitor/";
    private static final Set<AdminAction> WATCH = Set.of(AdminAction.values());
    private static final JsonFactory FACTORY = new JsonFactory();

    private final PresentBroker broker;

    /** @param broker null while none serves clients */
    public MonitorRequests(PresentBroker broker) {
        this.broker = broker;
    }

    /**
     * One serves them all; those of the single kinds are there to be described, once the broker knows what there is.
     */
    public List<RestRoute> routes() {
        List<RestRoute> routes = new ArrayList<>();
        RunningBroker running = broker.get();
        Monitor monitor = running == null ? null : running.monitor();
        if (monitor != null) {
            monitor.types().forEach(type -> routes.add(routeOf(type)));
        }
        routes.add(new RestRoute(
                HandlerType.GET, PATH + "{Object}", "What happens to one kind of things", WATCH, this::tell));
        return routes;
    }

    private RestRoute routeOf(Monitored type) {
        return new RestRoute(
                HandlerType.GET,
                PATH + type.name(),
                type.summary(),
                WATCH,
                this::tell,
                RouteBody.NONE,
                type.options(),
                type.columns());
    }

    private void tell(Context context, Administrator who) throws Refusal {
        RunningBroker running = broker.get();
        Monitor monitor = running == null ? null : running.monitor();
        if (monitor == null) {
            throw broker.absent();
        }
        String type = context.path().substring(context.path().lastIndexOf('/') + 1);
        try (Report report = monitor.ask(type, question(context))) {
            Answer.json(context);
            write(report, context);
        } catch (MonitorException e) {
            throw new Refusal(codeOf(e), String.valueOf(e.getMessage()));
        }
    }

    /** As it comes, because it may be long. */
    private static void write(Report report, Context context) {
        try (JsonGenerator json =
                FACTORY.createGenerator(context.outputStream()).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeStringField("Version", Answer.VERSION);
            report.writeTo(json);
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("the requester does not listen any more", e);
        }
    }

    private static Map<String, String> question(Context context) throws Refusal {
        Map<String, String> question = new HashMap<>();
        for (Map.Entry<String, List<String>> said : context.queryParamMap().entrySet()) {
            if (said.getValue().size() != 1) {
                throw new Refusal(Code.INVALID, said.getKey() + " is given more than once; say it once");
            }
            question.put(said.getKey(), said.getValue().get(0));
        }
        return question;
    }

    private static Code codeOf(MonitorException e) {
        return switch (e.reason()) {
            case INVALID -> Code.INVALID;
            case NOT_FOUND -> Code.NOT_FOUND;
            case NOT_NOW -> Code.NOT_NOW;
        };
    }
}
