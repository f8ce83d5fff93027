package dev.avocet.core.topic;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.MessageQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the messages of one topic go: computed once per topic and change of subscriptions, then only walked. Immutable.
 */
public final class Route {
    /** Subscriptions that are compared with each other as quickly as they are put into a map. */
    private static final int FEW = 6;

    private static final Route NOWHERE = new Route(new RouteTarget[0]);

    private final RouteTarget[] targets;
    private final int matchCount;
    private final TopicFigures[] monitors;

    private Route(RouteTarget[] targets) {
        this(targets, targets.length, TopicMonitors.NONE);
    }

    private Route(RouteTarget[] targets, int matchCount, TopicFigures[] monitors) {
        this.targets = targets;
        this.matchCount = matchCount;
        this.monitors = monitors;
    }

    /**
     * The route that these subscriptions make.
     *
     * @param overlap whether a client with several matching subscriptions gets one copy or one for each
     */
    public static Route of(List<Subscription> matching, OverlapDelivery overlap) {
        if (matching.isEmpty()) {
            return NOWHERE;
        }
        if (matching.size() == 1) {
            return to(matching.get(0));
        }
        if (overlap == OverlapDelivery.EACH || areOfSeveralOwners(matching)) {
            return new Route(matching.stream().map(Route::alone).toArray(RouteTarget[]::new));
        }
        Map<Object, List<Subscription>> byOwner = new HashMap<>(matching.size() * 2);
        List<List<Subscription>> inOrder = new ArrayList<>(matching.size());
        for (Subscription subscription : matching) {
            if (subscription.takes() != QualityOfServiceFilter.NONE || subscription.selector() != null) {
                inOrder.add(List.of(subscription)); // what the others take, this one may not
                continue;
            }
            List<Subscription> group = byOwner.get(subscription.owner());
            if (group == null) {
                group = new ArrayList<>(1);
                byOwner.put(subscription.owner(), group);
                inOrder.add(group);
            }
            group.add(subscription);
        }
        return new Route(inOrder.stream()
                .map(group -> group.size() == 1 ? alone(group.get(0)) : together(group))
                .toArray(RouteTarget[]::new));
    }

    /** Whether these are few, and no two of them of one owner, so that there is nothing to merge. */
    private static boolean areOfSeveralOwners(List<Subscription> matching) {
        if (matching.size() > FEW) {
            return false;
        }
        for (int i = 1; i < matching.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (matching.get(i).owner().equals(matching.get(j).owner())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The route that one subscription makes. */
    static Route to(Subscription only) {
        return new Route(new RouteTarget[] {alone(only)});
    }

    /** Where the messages go that are sent to a queue by its name. */
    public static Route to(MessageQueue queue) {
        return new Route(new RouteTarget[] {
            new RouteTarget(queue, QualityOfService.EXACTLY_ONCE, null, queue, null, false, QualityOfServiceFilter.NONE)
        });
    }

    /**
     * Where one message goes that cannot go where it was sent.
     *
     * @param standing of that message in the queue
     */
    public static Route to(MessageQueue queue, Standing standing) {
        DeliveryOptions options = DeliveryOptions.of(standing);
        return new Route(new RouteTarget[] {
            new RouteTarget(
                    queue, QualityOfService.EXACTLY_ONCE, options, queue, options, false, QualityOfServiceFilter.NONE)
        });
    }

    /** Where messages go that no subscription wants. */
    public static Route nowhere() {
        return NOWHERE;
    }

    /**
     * Whether messages go the very same way by both, and are counted for the same watchers. Topics that match the same
     * filters have such routes.
     */
    public boolean isSameWayAs(Route other) {
        return this == other || (haveSameTargets(targets, other.targets) && Arrays.equals(monitors, other.monitors));
    }

    /** Routes to several targets are shared; those to one are made for each topic. */
    private static boolean haveSameTargets(RouteTarget[] some, RouteTarget[] others) {
        return some == others || (some.length == 1 && others.length == 1 && some[0].equals(others[0]));
    }

    /** The targets. The caller must not change the array. */
    public RouteTarget[] targets() {
        return targets;
    }

    /** Targets that the topic has, be it that some do not take the message at hand. */
    public int matchCount() {
        return matchCount;
    }

    /** The same for one message that not every target takes. */
    public Route only(List<RouteTarget> some) {
        return new Route(some.toArray(RouteTarget[]::new), matchCount, monitors);
    }

    /** The same for a topic that is watched. */
    public Route watchedBy(TopicFigures[] watchers) {
        return watchers.length == 0 ? this : new Route(targets, matchCount, watchers);
    }

    /** Who counts what is published to the topic; mostly none. The caller must not change the array. */
    public TopicFigures[] monitors() {
        return monitors;
    }

    private static RouteTarget alone(Subscription one) {
        return new RouteTarget(
                one.queue(), one.options().qos(), null, one.owner(), null, one.noLocal(), one.takes(), one.selector());
    }

    /**
     * One copy at the highest quality of service with the identifiers of all [MQTT-3.3.4-2, MQTT-3.3.4-4], through the
     * queue of the subscription that asked for the most.
     */
    private static RouteTarget together(List<Subscription> group) {
        Subscription highest = group.get(0);
        for (Subscription candidate : group) {
            if (candidate.options().qos().compareTo(highest.options().qos()) > 0) {
                highest = candidate;
            }
        }
        List<Subscription> local =
                group.stream().filter(subscription -> !subscription.noLocal()).toList();
        DeliveryOptions all = merge(group);
        DeliveryOptions own = local.size() == group.size() ? all : local.isEmpty() ? null : merge(local);
        return new RouteTarget(
                highest.queue(),
                highest.options().qos(),
                all,
                highest.owner(),
                own,
                local.isEmpty(),
                QualityOfServiceFilter.NONE);
    }

    private static DeliveryOptions merge(List<Subscription> group) {
        QualityOfService qos = QualityOfService.AT_MOST_ONCE;
        boolean retainAsPublished = false;
        int[] identifiers = DeliveryOptions.NO_IDENTIFIERS;
        for (Subscription subscription : group) {
            DeliveryOptions options = subscription.options();
            qos = qos.compareTo(options.qos()) >= 0 ? qos : options.qos();
            retainAsPublished |= options.retainAsPublished();
            identifiers = append(identifiers, options.subscriptionIdentifiers());
        }
        return new DeliveryOptions(qos, retainAsPublished, false, identifiers);
    }

    private static int[] append(int[] first, int[] second) {
        if (second.length == 0) {
            return first;
        }
        int[] both = new int[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
