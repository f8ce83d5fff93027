// An MQTT 5 client over WebSocket. Its session begins anew with each connection, and nothing of it stays in the broker.
import {
  acknowledgement, connect, disconnect, Malformed, PacketReader, pingRequest, publish, subscribe, TYPE, unsubscribe,
} from './mqtt.js';
import { afterConnection, refusedConnection, refusedPublish, refusedSubscription, Trouble } from './mqtt-reasons.js';

const KEEP_ALIVE_SECONDS = 30;
const PING_SHARE = 0.6; // of the time after which the broker gives the client up
const CONNECT_MS = 15000;
const ANSWER_MS = 20000;
const RECEIVE_MAXIMUM = 200;
const MAXIMUM_PACKET_BYTES = 1048576;
const NORMAL = 0;
const MALFORMED_PACKET = 0x81;

const LOST = 'The connection is lost: see whether the broker runs, and connect again.';
const SILENT = 'The broker has not answered in time: see whether it runs, and connect again.';

/** One connection; made by open. */
class Connection {
  constructor(socket, onMessage, onClosed) {
    this.socket = socket;
    this.onMessage = onMessage;
    this.onClosed = onClosed;
    this.reader = new PacketReader(MAXIMUM_PACKET_BYTES);
    this.waiting = new Map(); // by packet identifier: what waits for an answer
    this.received = new Set(); // identifiers of messages of QoS 2 that the broker has not released yet
    this.lastId = 0;
    this.closed = false;
    this.broker = {};
  }

  /** Resolves when the broker has taken the message: at QoS 0 when it is sent. */
  publish(message) {
    const { maximumQos, retainAvailable, maximumPacketBytes } = this.broker;
    if (maximumQos !== undefined && message.qos > maximumQos) {
      return Promise.reject(new Trouble(`This broker takes messages up to QoS ${maximumQos}: choose that.`));
    }
    if (message.retain && retainAvailable === 0) {
      return Promise.reject(new Trouble('This broker retains no messages: publish it without Retain.'));
    }
    const make = (packetId) => {
      const bytes = publish({ ...message, packetId });
      if (maximumPacketBytes !== undefined && bytes.length > maximumPacketBytes) {
        throw new Trouble(`This broker takes messages of at most ${maximumPacketBytes} bytes: make it shorter.`);
      }
      return bytes;
    };
    return message.qos === 0 ? this.just(make) : this.ask(make);
  }

  /** Resolves with the QoS that the broker grants. */
  subscribe(filter, qos) {
    return this.ask((packetId) => subscribe(packetId, filter, qos));
  }

  unsubscribe(filter) {
    return this.ask((packetId) => unsubscribe(packetId, filter));
  }

  /** Ends it as the user wishes. */
  close() {
    if (!this.closed) {
      this.send(disconnect(NORMAL));
      this.end('');
    }
  }

  async just(make) {
    this.requireOpen();
    this.send(make(0));
  }

  async ask(make) {
    this.requireOpen();
    if (this.waiting.size >= (this.broker.receiveMaximum ?? 65535)) {
      throw new Trouble('The broker still has to answer what was asked before: wait a moment.');
    }
    do {
      this.lastId = (this.lastId % 65535) + 1;
    } while (this.waiting.has(this.lastId));
    const packetId = this.lastId;
    const bytes = make(packetId);
    return new Promise((done, failed) => {
      const timer = setTimeout(() => this.end(SILENT), ANSWER_MS);
      this.waiting.set(packetId, { done, failed, timer });
      this.send(bytes);
    });
  }

  requireOpen() {
    if (this.closed) {
      throw new Trouble('There is no connection: connect first.');
    }
  }

  send(bytes) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(bytes);
      this.sentAt = Date.now();
    }
  }

  answered(packetId, failure, value) {
    const asked = this.waiting.get(packetId);
    if (asked) {
      clearTimeout(asked.timer);
      this.waiting.delete(packetId);
      if (failure) {
        asked.failed(failure);
      } else {
        asked.done(value);
      }
    }
  }

  /** The broker has let the client in. */
  begin(properties) {
    this.broker = properties;
    const seconds = properties.serverKeepAliveSeconds ?? KEEP_ALIVE_SECONDS;
    if (seconds > 0) {
      const period = seconds * 1000 * PING_SHARE;
      this.ping = setInterval(() => {
        if (this.pinged) {
          this.end(SILENT);
        } else {
          this.pinged = true;
          this.send(pingRequest());
        }
      }, period);
    }
  }

  onPacket(packet) {
    switch (packet.type) {
      case TYPE.PUBLISH:
        this.onPublish(packet);
        break;
      case TYPE.PUBACK: case TYPE.PUBCOMP:
        this.answered(packet.packetId, refusedPublish(packet));
        break;
      case TYPE.PUBREC:
        if (refusedPublish(packet)) {
          this.answered(packet.packetId, refusedPublish(packet));
        } else {
          this.send(acknowledgement(TYPE.PUBREL, packet.packetId));
        }
        break;
      case TYPE.PUBREL:
        this.received.delete(packet.packetId);
        this.send(acknowledgement(TYPE.PUBCOMP, packet.packetId));
        break;
      case TYPE.SUBACK: case TYPE.UNSUBACK:
        this.answered(packet.packetId, refusedSubscription(packet), packet.reasonCode);
        break;
      case TYPE.PINGRESP:
        this.pinged = false;
        break;
      case TYPE.DISCONNECT:
        this.end(afterConnection(packet));
        break;
      default:
        throw new Malformed('a packet came out of turn');
    }
  }

  onPublish(packet) {
    const isNew = packet.qos < 2 || !this.received.has(packet.packetId);
    if (packet.qos === 1) {
      this.send(acknowledgement(TYPE.PUBACK, packet.packetId));
    } else if (packet.qos === 2) {
      this.received.add(packet.packetId);
      this.send(acknowledgement(TYPE.PUBREC, packet.packetId));
    }
    if (isNew) {
      this.onMessage(packet);
    }
  }

  /** @param why what to say; empty when the user wants it so */
  end(why) {
    if (this.closed) {
      return;
    }
    this.closed = true;
    clearInterval(this.ping);
    [...this.waiting.keys()].forEach((packetId) => this.answered(packetId, new Trouble(why || 'You have disconnected.')));
    this.socket.close();
    this.onClosed(why);
  }
}

/**
 * Connects; resolves with a connection when the broker has let the client in, and rejects with Trouble, whose message
 * says what to do. `onMessage` gets each message, `onClosed` why the connection has ended: an empty text after close().
 */
export function open(url, login, { onMessage, onClosed }) {
  return new Promise((done, failed) => {
    let socket;
    try {
      socket = new WebSocket(url, 'mqtt');
    } catch {
      failed(new Trouble(`This browser does not connect to ${url} from this page: load the page again, or choose another endpoint.`));
      return;
    }
    socket.binaryType = 'arraybuffer';
    let isIn = false;
    let wasOpen = false;
    const connection = new Connection(socket, onMessage, (why) => {
      clearTimeout(timer);
      document.removeEventListener('securitypolicyviolation', onViolation);
      if (isIn) {
        onClosed(why);
      } else {
        failed(new Trouble(why || LOST));
      }
    });
    const onViolation = (event) => event.effectiveDirective === 'connect-src'
      && connection.end('This page was loaded before the endpoint listened there: load the page again.');
    const timer = setTimeout(() => connection.end(SILENT), CONNECT_MS);
    document.addEventListener('securitypolicyviolation', onViolation);
    socket.onopen = () => {
      wasOpen = true;
      connection.send(connect({
        ...login, keepAliveSeconds: KEEP_ALIVE_SECONDS, receiveMaximum: RECEIVE_MAXIMUM, maximumPacketBytes: MAXIMUM_PACKET_BYTES,
      }));
    };
    socket.onmessage = (event) => {
      try {
        for (const packet of connection.reader.take(new Uint8Array(event.data))) {
          if (isIn) {
            connection.onPacket(packet);
          } else if (packet.type !== TYPE.CONNACK) {
            throw new Malformed('the first packet is not a CONNACK');
          } else if (packet.reasonCode >= 128) {
            connection.end(refusedConnection(packet).message);
          } else {
            isIn = true;
            clearTimeout(timer);
            connection.begin(packet.properties);
            done(connection);
          }
        }
      } catch (failure) {
        if (!(failure instanceof Malformed)) {
          throw failure;
        }
        connection.send(disconnect(MALFORMED_PACKET));
        connection.end(`The answer is not MQTT 5 (${failure.message}): choose an endpoint of this broker.`);
      }
    };
    socket.onclose = () => connection.end(wasOpen ? LOST
      : `The browser cannot connect to ${url}: see whether the endpoint listens at this host name${
        url.startsWith('wss:') ? ', whether this browser trusts its certificate,' : ''
      } and whether its AllowedOrigins lets this page in.`);
  });
}
