package dev.avocet.mqtt.connection;

/** Hears of what keeps deliveries to a client from going on. Called on the connection's loop. */
interface DeliveryTrouble {
    /** The client takes messages and acknowledges none. */
    void onNeverAcknowledging();

    /** The broker itself did something wrong; nothing more is delivered. */
    void onFailure(Throwable cause);
}
