// Packets of MQTT 5 as bytes, and bytes as packets. Knows neither a connection nor a page.
export const TYPE = {
  CONNECT: 1, CONNACK: 2, PUBLISH: 3, PUBACK: 4, PUBREC: 5, PUBREL: 6, PUBCOMP: 7, SUBSCRIBE: 8, SUBACK: 9,
  UNSUBSCRIBE: 10, UNSUBACK: 11, PINGREQ: 12, PINGRESP: 13, DISCONNECT: 14,
};
const LONGEST_TEXT = 65535;
const HIGHEST_LENGTH = 268435455;

// The properties that a packet can have, by their identifiers: name and form (MQTT 5, table 2-4).
const PROPERTIES = {
  1: ['payloadFormat', 'byte'], 2: ['expirySeconds', 'four'], 3: ['contentType', 'text'], 8: ['responseTopic', 'text'],
  9: ['correlationData', 'bytes'], 11: ['subscriptionIdentifier', 'length'], 17: ['sessionExpirySeconds', 'four'],
  18: ['assignedClientId', 'text'], 19: ['serverKeepAliveSeconds', 'two'], 21: ['authenticationMethod', 'text'],
  22: ['authenticationData', 'bytes'], 23: ['requestProblemInformation', 'byte'], 24: ['willDelaySeconds', 'four'],
  25: ['requestResponseInformation', 'byte'], 26: ['responseInformation', 'text'], 28: ['serverReference', 'text'],
  31: ['reason', 'text'], 33: ['receiveMaximum', 'two'], 34: ['topicAliasMaximum', 'two'], 35: ['topicAlias', 'two'],
  36: ['maximumQos', 'byte'], 37: ['retainAvailable', 'byte'], 38: ['userProperties', 'pair'], 39: ['maximumPacketBytes', 'four'],
  40: ['wildcardsAvailable', 'byte'], 41: ['subscriptionIdentifiersAvailable', 'byte'], 42: ['sharedAvailable', 'byte'],
};
const IDENTIFIERS = Object.fromEntries(Object.entries(PROPERTIES).map(([id, [name, form]]) => [name, [Number(id), form]]));

/** The bytes are not those of a packet of MQTT 5. */
export class Malformed extends Error {}

class Bytes {
  constructor() {
    this.all = [];
  }

  byte(value) {
    this.all.push(value & 255);
    return this;
  }

  two(value) {
    return this.byte(value >> 8).byte(value);
  }

  four(value) {
    return this.two(Math.floor(value / 65536)).two(value % 65536);
  }

  length(value) {
    let rest = value;
    do {
      const low = rest % 128;
      rest = Math.floor(rest / 128);
      this.byte(rest > 0 ? low | 128 : low);
    } while (rest > 0);
    return this;
  }

  raw(bytes) {
    for (const each of bytes) {
      this.all.push(each);
    }
    return this;
  }

  bytes(value) {
    if (value.length > LONGEST_TEXT) {
      throw new Malformed(`is longer than ${LONGEST_TEXT} bytes`);
    }
    return this.two(value.length).raw(value);
  }

  text(value) {
    return this.bytes(new TextEncoder().encode(value));
  }

  pair([name, value]) {
    return this.text(name).text(value);
  }

  /** What is undefined is left out; userProperties is a list of pairs. */
  properties(given) {
    const inner = new Bytes();
    for (const [name, value] of Object.entries(given)) {
      const [id, form] = IDENTIFIERS[name];
      if (form === 'pair') {
        (value || []).forEach((each) => inner.byte(id).pair(each));
      } else if (value !== undefined) {
        inner.byte(id)[form](value);
      }
    }
    return this.length(inner.all.length).raw(inner.all);
  }
}

function packet(type, flags, body) {
  return new Uint8Array(new Bytes().byte((type << 4) | flags).length(body.all.length).raw(body.all).all);
}

/** A session that begins anew and ends with its connection. */
export function connect({ clientId, user, password, keepAliveSeconds, receiveMaximum, maximumPacketBytes }) {
  const flags = 2 | (user === undefined ? 0 : 128) | (password === undefined ? 0 : 64);
  const body = new Bytes().text('MQTT').byte(5).byte(flags).two(keepAliveSeconds)
    .properties({ receiveMaximum, maximumPacketBytes }).text(clientId);
  if (user !== undefined) {
    body.text(user);
  }
  if (password !== undefined) {
    body.text(password);
  }
  return packet(TYPE.CONNECT, 0, body);
}

export function publish({ topic, payload, qos, retain, packetId, properties = {} }) {
  const body = new Bytes().text(topic);
  if (qos > 0) {
    body.two(packetId);
  }
  return packet(TYPE.PUBLISH, (qos << 1) | (retain ? 1 : 0), body.properties(properties).raw(payload));
}

/** PUBACK, PUBREC, PUBREL and PUBCOMP that say that all is well. */
export const acknowledgement = (type, packetId) => packet(type, type === TYPE.PUBREL ? 2 : 0, new Bytes().two(packetId));

export function subscribe(packetId, filter, qos) {
  return packet(TYPE.SUBSCRIBE, 2, new Bytes().two(packetId).properties({}).text(filter).byte(qos));
}

export function unsubscribe(packetId, filter) {
  return packet(TYPE.UNSUBSCRIBE, 2, new Bytes().two(packetId).properties({}).text(filter));
}

export const pingRequest = () => packet(TYPE.PINGREQ, 0, new Bytes());
export const disconnect = (reasonCode) => packet(TYPE.DISCONNECT, 0, reasonCode === 0 ? new Bytes() : new Bytes().byte(reasonCode));

class Cursor {
  constructor(bytes) {
    this.source = bytes;
    this.at = 0;
  }

  get left() {
    return this.source.length - this.at;
  }

  raw(count) {
    if (count > this.left) {
      throw new Malformed('a packet ends too early');
    }
    this.at += count;
    return this.source.subarray(this.at - count, this.at);
  }

  byte() {
    return this.raw(1)[0];
  }

  two() {
    return this.byte() * 256 + this.byte();
  }

  four() {
    return this.two() * 65536 + this.two();
  }

  length() {
    const { value, bytes } = lengthAt(this.source, this.at) || {};
    if (bytes === undefined) {
      throw new Malformed('a packet ends too early');
    }
    this.at += bytes;
    return value;
  }

  bytes() {
    return this.raw(this.two());
  }

  text() {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes());
    } catch (failure) {
      throw failure instanceof Malformed ? failure : new Malformed('a text is not UTF-8');
    }
  }

  pair() {
    return [this.text(), this.text()];
  }

  properties() {
    const inner = new Cursor(this.raw(this.length()));
    const found = { userProperties: [] };
    while (inner.left > 0) {
      const [name, form] = PROPERTIES[inner.byte()] || [];
      if (!name) {
        throw new Malformed('a property is not one of MQTT 5');
      }
      if (form === 'pair') {
        found[name].push(inner.pair());
      } else {
        found[name] = inner[form]();
      }
    }
    return found;
  }
}

/** A variable byte integer; null when more bytes have to come. */
function lengthAt(bytes, from) {
  let value = 0;
  for (let i = 0; i < 4; i += 1) {
    if (from + i >= bytes.length) {
      return null;
    }
    const each = bytes[from + i];
    value += (each & 127) * 128 ** i;
    if (each < 128) {
      return { value, bytes: i + 1 };
    }
  }
  throw new Malformed('a length has more than four bytes');
}

/** What may end with a reason code and properties, or without them. */
function outcome(cursor) {
  const reasonCode = cursor.left > 0 ? cursor.byte() : 0;
  return { reasonCode, properties: cursor.left > 0 ? cursor.properties() : { userProperties: [] } };
}

function decode(type, flags, body) {
  const cursor = new Cursor(body);
  switch (type) {
    case TYPE.CONNACK:
      return { type, sessionPresent: (cursor.byte() & 1) === 1, reasonCode: cursor.byte(), properties: cursor.properties() };
    case TYPE.PUBLISH: {
      const qos = (flags >> 1) & 3;
      if (qos === 3) {
        throw new Malformed('a message has QoS 3');
      }
      const topic = cursor.text();
      const packetId = qos > 0 ? cursor.two() : 0;
      const properties = cursor.properties();
      return { type, topic, qos, retain: (flags & 1) === 1, again: (flags & 8) === 8, packetId, properties, payload: cursor.raw(cursor.left).slice() };
    }
    case TYPE.PUBACK: case TYPE.PUBREC: case TYPE.PUBREL: case TYPE.PUBCOMP:
      return { type, packetId: cursor.two(), ...outcome(cursor) };
    case TYPE.SUBACK: case TYPE.UNSUBACK:
      return { type, packetId: cursor.two(), properties: cursor.properties(), reasonCode: cursor.byte() };
    case TYPE.PINGRESP:
      return { type };
    case TYPE.DISCONNECT:
      return { type, ...outcome(cursor) };
    default:
      throw new Malformed(`a packet has the type ${type}`);
  }
}

/** Makes packets of bytes, however they are cut. Takes no packet that is longer than the limit. */
export class PacketReader {
  constructor(maximumPacketBytes = HIGHEST_LENGTH) {
    this.limit = maximumPacketBytes;
    this.rest = new Uint8Array(0);
  }

  /** The packets that are whole now; throws Malformed. */
  take(bytes) {
    let all = bytes;
    if (this.rest.length > 0) {
      all = new Uint8Array(this.rest.length + bytes.length);
      all.set(this.rest);
      all.set(bytes, this.rest.length);
    }
    const packets = [];
    let at = 0;
    for (;;) {
      const length = at < all.length ? lengthAt(all, at + 1) : null;
      if (!length) {
        break;
      }
      const begin = at + 1 + length.bytes;
      if (begin - at + length.value > this.limit) {
        throw new Malformed('a packet is longer than this client takes');
      }
      if (begin + length.value > all.length) {
        break;
      }
      packets.push(decode(all[at] >> 4, all[at] & 15, all.subarray(begin, begin + length.value)));
      at = begin + length.value;
    }
    this.rest = all.slice(at);
    return packets;
  }
}

const bytesOf = (text) => new TextEncoder().encode(text).length;

function textProblem(text, what) {
  if (text === '') {
    return `Give a ${what}.`;
  }
  if (bytesOf(text) > LONGEST_TEXT) {
    return `Give a shorter ${what}: it may have ${LONGEST_TEXT} bytes.`;
  }
  return text.includes('\0') ? `Take the character U+0000 out of the ${what}.` : '';
}

/** What to do about a topic name; empty when it is right. */
export function topicProblem(topic) {
  return textProblem(topic, 'topic') || (/[+#]/.test(topic) ? 'Take + and # out of the topic: they belong to topic filters.' : '');
}

/** What to do about a topic filter; empty when it is right. */
export function filterProblem(filter) {
  const problem = textProblem(filter, 'topic filter');
  if (problem) {
    return problem;
  }
  let levels = filter.split('/');
  if (levels[0] === '$share') {
    if (levels.length < 3 || levels[1] === '' || /[+#]/.test(levels[1]) || levels.slice(2).join('/') === '') {
      return 'Write a shared subscription as $share/NAME/FILTER, with a name without + and #.';
    }
    levels = levels.slice(2);
  }
  if (levels.some((level, index) => level.includes('#') && (level !== '#' || index < levels.length - 1))) {
    return 'Write # alone and as the last level of the topic filter, as in plant/#.';
  }
  return levels.some((level) => level.includes('+') && level !== '+')
    ? 'Write + alone between the slashes of the topic filter, as in plant/+/temperature.' : '';
}
