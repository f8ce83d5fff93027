// MQTT.js, one command a line on standard input, one answer or message a line on standard output: see LineClient.java.
'use strict';

const fs = require('node:fs');
const readline = require('node:readline');
const mqtt = require('mqtt');

let client;
/** What the last PUBACK or PUBREC said, which the library keeps from the callback of publish. */
let reasonCode = 0;

function say(...words) {
  process.stdout.write(words.join(' ') + '\n');
}

/** Splits "key=value" words into an object. */
function options(words) {
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}

function connect(port, clientId, version, ...rest) {
  const given = options(rest);
  const wanted = {
    clientId,
    protocolVersion: Number(version),
    protocolId: version === '3' ? 'MQIsdp' : 'MQTT',
    clean: given.clean === 'true',
    reconnectPeriod: 0,
  };
  if (given.will) {
    wanted.will = { topic: given.will, payload: 'gone', qos: 1, retain: false };
  }
  if (version === '5') {
    wanted.properties = {};
    if (given.sessionExpirySeconds) wanted.properties.sessionExpiryInterval = Number(given.sessionExpirySeconds);
    if (given.receiveMaximum) wanted.properties.receiveMaximum = Number(given.receiveMaximum);
    if (given.topicAliasMaximum) wanted.properties.topicAliasMaximum = Number(given.topicAliasMaximum);
  }
  const secure = process.env.CA_FILE ? 's' : '';
  if (secure) wanted.ca = fs.readFileSync(process.env.CA_FILE);
  const url = process.env.WEB_SOCKET
    ? `ws${secure}://127.0.0.1:${port}${process.env.WEB_SOCKET}`
    : `mqtt${secure}://127.0.0.1:${port}`;
  client = mqtt.connect(url, wanted);
  client.on('connect', (packet) => say('connected', packet.sessionPresent));
  client.on('packetreceive', (packet) => {
    if (packet.cmd === 'puback' || packet.cmd === 'pubrec') reasonCode = packet.reasonCode || 0;
  });
  client.on('error', (error) => say('error', error.message));
  client.on('message', (topic, payload, packet) => say('message', topic, packet.qos, packet.retain, payload, ...received(packet)));
}

function received(packet) {
  const properties = packet.properties || {};
  const words = Object.entries(properties.userProperties || {}).map(([key, value]) => `user.${key}=${value}`);
  if (properties.responseTopic) words.push(`responseTopic=${properties.responseTopic}`);
  if (properties.correlationData) words.push(`correlationData=${properties.correlationData}`);
  return words;
}

function subscribe(filter, qos) {
  client.subscribe(filter, { qos: Number(qos) }, (error, granted, packet) =>
    say('subscribed', packet ? packet.granted[0] : granted ? granted[0].qos : 128));
}

function publish(topic, qos, retain, payload, ...rest) {
  const given = options(rest);
  const wanted = { qos: Number(qos), retain: retain === 'true' };
  if (rest.length > 0) {
    wanted.properties = {};
    const user = Object.entries(given).filter(([key]) => key.startsWith('user.'));
    if (user.length > 0) wanted.properties.userProperties = Object.fromEntries(user.map(([key, value]) => [key.slice(5), value]));
    if (given.responseTopic) wanted.properties.responseTopic = given.responseTopic;
    if (given.correlationData) wanted.properties.correlationData = Buffer.from(given.correlationData);
    if (given.topicAlias) wanted.properties.topicAlias = Number(given.topicAlias);
  }
  reasonCode = 0;
  client.publish(topic === '-' ? '' : topic, payload, wanted, (error) => say('published', error ? error.code : reasonCode));
}

function disconnect() {
  client.end(false, () => say('disconnected'));
}

const commands = { connect, subscribe, publish, disconnect };
readline.createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [command, ...words] = line.split(' ');
    commands[command](...words);
  })
  .on('close', () => process.exit(0));
