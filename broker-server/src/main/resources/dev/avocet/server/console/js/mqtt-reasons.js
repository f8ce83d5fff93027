// Reason codes of MQTT 5 in words: what the broker has refused, and what to do.
const hex = (code) => `0x${code.toString(16).toUpperCase().padStart(2, '0')}`;

/** Something has failed; the message is one sentence that says what to do. */
export class Trouble extends Error {}

const CONNECTION = {
  0x84: 'This endpoint does not speak MQTT 5: choose another one.',
  0x85: 'The broker does not take this client identifier: give another one.',
  0x86: 'The user name or the password is wrong: type them again.',
  0x87: 'No ConnectionPolicy of the endpoint lets this client in: give another user or client identifier, or change the policies.',
  0x88: 'The broker takes no clients now: try again later.',
  0x89: 'The broker has too much to do to take more clients now: try again in a moment.',
  0x8A: 'The broker keeps this client out: give another client identifier.',
  0x8C: 'The endpoint wants another way to log in: choose another endpoint.',
  0x95: 'The broker takes no CONNECT of this size: give shorter texts.',
  0x97: 'The broker has as many clients as it may have: disconnect one, or raise the limit.',
  0x9C: 'The endpoint sends its clients to another server: connect there.',
  0x9D: 'The endpoint sends its clients to another server: connect there.',
  0x9F: 'Too many clients connect at once: try again in a moment.',
};
const PUBLISH = {
  0x87: 'No TopicPolicy of the endpoint lets this client publish to that topic: choose another topic, or change the policies.',
  0x90: 'The broker does not take that topic: choose another one.',
  0x91: 'The broker holds that packet identifier in use: connect again.',
  0x97: 'A subscription is full, or the store takes no more: have consumers keep up, or raise the limit, and publish again.',
  0x99: 'The payload is not what its properties say: send it as text.',
};
const SUBSCRIBE = {
  0x80: 'The broker refuses the subscription: choose another topic filter, or look into the log of the broker.',
  0x83: 'The broker refuses the subscription: choose another topic filter, or look into the log of the broker.',
  0x87: 'No TopicPolicy or SubscriptionPolicy of the endpoint lets this client subscribe to that: choose another topic filter, or change the policies.',
  0x8F: 'The broker does not take that topic filter: write it in another way.',
  0x97: 'The client has as many subscriptions as it may have: unsubscribe from one, or raise the limit.',
  0x9E: 'The broker has no shared subscriptions: leave out $share and the name.',
  0xA2: 'The broker has no subscriptions with + or #: name the topic.',
};
const ENDS = {
  0x81: 'The broker has found a packet malformed and has ended the connection: connect again, and report it.',
  0x82: 'The broker has found an error of the protocol and has ended the connection: connect again, and report it.',
  0x87: 'The broker does not let this client go on: log in as another user, or change the policies.',
  0x89: 'The broker has too much to do: connect again in a moment.',
  0x8B: 'The broker stops: connect again when it is back.',
  0x8D: 'The broker has heard nothing of this page for too long: connect again.',
  0x8E: 'Another client has connected with the same client identifier: give another one, and connect again.',
  0x90: 'The broker does not take that topic: connect again, and choose another one.',
  0x93: 'This page was too slow for what comes in: subscribe to less, and connect again.',
  0x95: 'The message is longer than the broker takes: connect again, and make it shorter.',
  0x97: 'A limit is reached and the broker has ended the connection: raise the limit, or send less, and connect again.',
  0x98: 'An administrator has ended the connection: ask the administrator, or connect again.',
  0x99: 'The payload is not what its properties say: connect again, and send it as text.',
  0x9A: 'The broker retains no messages: connect again, and publish without Retain.',
  0x9B: 'The broker does not take that QoS: connect again, and choose a lower one.',
  0x9C: 'The endpoint sends its clients to another server: connect there.',
  0x9D: 'The endpoint sends its clients to another server: connect there.',
};

function sentence(table, code, reason, otherwise) {
  const text = table[code] || otherwise;
  const own = reason ? `, and the broker says “${reason}”` : '';
  return `${text.replace(/\.$/, '')} (reason code ${hex(code)}${own}).`;
}

export function refusedConnection({ reasonCode, properties }) {
  return new Trouble(sentence(CONNECTION, reasonCode, properties.reason,
    'The broker refuses the connection: look into the log of the broker.'));
}

/** Null when it was taken. */
export function refusedPublish({ reasonCode, properties }) {
  return reasonCode < 128 ? null : new Trouble(sentence(PUBLISH, reasonCode, properties.reason,
    'The broker refuses the message: look into the log of the broker.'));
}

/** Null when it was granted. */
export function refusedSubscription({ reasonCode, properties }) {
  return reasonCode < 128 ? null : new Trouble(sentence(SUBSCRIBE, reasonCode, properties.reason,
    'The broker refuses the subscription: look into the log of the broker.'));
}

/** Why the broker has ended the connection. */
export function afterConnection({ reasonCode, properties }) {
  return sentence(ENDS, reasonCode, properties.reason, 'The broker has ended the connection: connect again.');
}
