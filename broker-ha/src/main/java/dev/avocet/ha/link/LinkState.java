package dev.avocet.ha.link;

/**
 * What a node says of itself before the first message.
 *
 * @param storeId names its store
 * @param isEmpty whether nothing is in it, so that it may become a part of another store
 * @param leadsEpoch the epoch in which it leads; 0 when it does not
 * @param latestEpoch the latest epoch that it has heard of
 */
public record LinkState(String storeId, boolean isEmpty, long leadsEpoch, long latestEpoch) {}
