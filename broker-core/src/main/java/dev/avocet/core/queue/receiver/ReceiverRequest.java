package dev.avocet.core.queue.receiver;

/**
 * What a receiver has for its queue at the end of a batch, in this order. The consumer's loop makes it and gives
 * it away; from then on it is the home loop's.
 *
 * @param settled what became of deliveries
 * @param revoke whether all credit is taken back
 * @param credit what is granted then
 * @param drain whether what is left of it shall be used up
 */
public record ReceiverRequest(Settlements settled, boolean revoke, int credit, boolean drain) {}
