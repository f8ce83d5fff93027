// What is in the broker: connections, sessions, subscriptions, queues, topics, retained messages, endpoints.
import { html } from './ui.js';
import { encoded, get, request } from './api.js';
import { bytes, duration, percent, short, whole } from './format.js';
import { Members } from './members.js';
import { monitored, TablePage } from './table.js';
import { LiveTrace } from './trace.js';

const number = (name, title, orders) => ({ name, title, number: true, orders, show: (row) => whole(row[name]) });
const both = (figure) => [`${figure}Highest`, `${figure}Lowest`];
const lifetime = (seconds) => (seconds >= 4294967295 ? 'for ever' : seconds === 0 ? 'with its connection' : duration(seconds * 1000));

const CONNECTIONS = {
  title: 'Connections',
  none: 'No client is connected that fits.',
  load: monitored('Connection'),
  order: 'NewestConnection',
  nameOf: (row) => row.Name,
  filters: [
    { name: 'ClientID', label: 'Client' }, { name: 'UserID', label: 'User' },
    { name: 'ClientAddr', label: 'Address' }, { name: 'Endpoint', label: 'Endpoint' },
  ],
  columns: [
    { name: 'Name', title: 'Client', mono: true },
    { name: 'UserId', title: 'User' },
    { name: 'Protocol', title: 'Protocol' },
    { name: 'ClientAddr', title: 'Address', mono: true },
    { name: 'Endpoint', title: 'Endpoint' },
    { title: 'Connected for', number: true, orders: ['OldestConnection', 'NewestConnection'], show: (row) => duration(row.Duration / 1e6) },
    { title: 'Messages in', number: true, show: (row) => short(row.ReadMsg) },
    { title: 'Messages out', number: true, orders: ['HighestThroughputMsgs', 'LowestThroughputMsgs'], show: (row) => short(row.WriteMsg) },
    { title: 'Bytes', number: true, orders: ['HighestThroughputKB', 'LowestThroughputKB'], show: (row) => bytes(row.ReadBytes + row.WriteBytes) },
  ],
  More: ({ row, mayAct }) => mayAct && html`<${LiveTrace} client=${row.Name} />`,
  actions: [{
    word: 'Disconnect',
    title: (row) => `Disconnect ${row.Name}?`,
    lost: () => 'Its connection is closed now, and its will is published if it has one. Messages that are stored for it stay. It can connect again at once.',
    act: (row) => request('POST', '/service/close/connection', { body: { ExactClientID: row.Name } })
      .then((answer) => answer.Message),
  }],
};

const SESSIONS = {
  title: 'Sessions',
  none: 'There is no session that fits.',
  load: monitored('MQTTClient'),
  order: 'LastConnectedTimeOldest',
  nameOf: (row) => row.ClientID,
  filters: [
    { name: 'ClientID', label: 'Client' },
    { name: 'ConnectionState', label: 'State', choices: [['Disconnected', 'Away'], ['Connected', 'Connected'], ['All', 'All']] },
  ],
  columns: [
    { name: 'ClientID', title: 'Client', mono: true },
    { name: 'Protocol', title: 'Protocol' },
    { title: 'State', show: (row) => (row.IsConnected ? 'connected' : 'away') },
    { title: 'Since', orders: ['LastConnectedTimeOldest'], show: (row) => new Date(row.LastConnectedTime).toLocaleString('en-GB') },
    { title: 'Outlives its connection', show: (row) => lifetime(row.SessionExpirySeconds) },
    number('Subscriptions', 'Subscriptions'),
  ],
  actions: [{
    word: 'Delete',
    title: (row) => `Delete the session of ${row.ClientID}?`,
    lost: (row) => `${row.IsConnected ? 'The client is disconnected. ' : ''}Its session with ${whole(row.Subscriptions)} subscriptions is gone, and all messages that wait for them are lost.`,
    act: (row) => request('DELETE', `/service/MQTTClient/${encoded(row.ClientID)}?Force=${row.IsConnected}`)
      .then((answer) => answer.Message),
  }],
};

const SUBSCRIPTIONS = {
  title: 'Subscriptions',
  none: 'There is no subscription that fits.',
  load: monitored('Subscription'),
  order: 'BufferedMsgsHighest',
  nameOf: (row) => row.SubName || row.TopicString,
  keyOf: (row) => `${row.ClientID}\n${row.SubName}`,
  filters: [
    { name: 'TopicString', label: 'Topic filter' }, { name: 'ClientID', label: 'Client' }, { name: 'SubName', label: 'Name' },
    { name: 'SubType', label: 'Kind', choices: [['All', 'All'], ['Durable', 'Durable'], ['Nondurable', 'Not durable'],
      ['Shared', 'Shared'], ['Nonshared', 'Not shared'], ['Admin', 'Made by administrators']] },
  ],
  columns: [
    { name: 'TopicString', title: 'Topic filter', mono: true },
    { name: 'ClientID', title: 'Client', mono: true },
    { name: 'SubName', title: 'Name', mono: true },
    { title: 'Kind', show: (row) => `${row.IsDurable ? 'durable' : 'not durable'}${row.IsShared ? ', shared' : ''}` },
    number('BufferedMsgs', 'Buffered', both('BufferedMsgs')),
    { title: 'Full', number: true, orders: both('BufferedPercent'), show: (row) => percent(row.BufferedPercent) },
    number('PublishedMsgs', 'Taken', both('PublishedMsgs')),
    number('RejectedMsgs', 'Rejected', both('RejectedMsgs')),
    number('DiscardedMsgs', 'Discarded', both('DiscardedMsgs')),
    number('Consumers', 'Consumers'),
  ],
  More: Members,
  actions: [{
    word: 'Delete',
    title: (row) => `Delete the subscription to ${row.TopicString}?`,
    lost: (row) => `It is called ${row.SubName || row.TopicString} and belongs to ${row.IsShared ? 'the clients that share it' : row.ClientID}. ${whole(row.BufferedMsgs)} messages that wait in it are lost. ${row.Consumers > 0 ? `${whole(row.Consumers)} connections that use it now are closed.` : ''}`,
    act: (row) => request('DELETE', `/service/Subscription/${encoded(row.ClientID)}/${encoded(row.SubName)}${row.Consumers > 0
      ? `?${row.IsShared ? 'DiscardSharers' : 'Force'}=true` : ''}`).then((answer) => answer.Message),
  }],
};

/** Messages as REST tells them; null shows nothing. */
export function MessageList({ messages }) {
  return html`
    ${messages && messages.length === 0 && html`<p class="muted">No message waits.</p>`}
    ${messages?.map((message) => html`
      <details class="message" key=${message.Reference}>
        <summary>${message.MessageID || `Message ${message.Reference}`}<span class="muted"> ${bytes(message.BodyBytes ?? message.Bytes ?? NaN)}</span></summary>
        <dl class="details">${Object.entries(message).map(([name, value]) => html`
          <div key=${name}><dt>${name}</dt><dd>${typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd></div>`)}</dl>
      </details>`)}`;
}

export const QUEUES = {
  title: 'Queues',
  none: 'There is no queue that fits.',
  load: monitored('Queue'),
  order: 'BufferedMsgsHighest',
  nameOf: (row) => row.Name,
  filters: [{ name: 'Name', label: 'Name' }],
  columns: [
    { name: 'Name', title: 'Name', mono: true },
    number('BufferedMsgs', 'Buffered', both('BufferedMsgs')),
    { title: 'Full', number: true, orders: both('BufferedPercent'), show: (row) => percent(row.BufferedPercent) },
    number('ProducedMsgs', 'Taken', both('ProducedMsgs')),
    number('ConsumedMsgs', 'Consumed', both('ConsumedMsgs')),
    number('ExpiredMsgs', 'Expired', both('ExpiredMsgs')),
    number('RejectedMsgs', 'Rejected'),
    number('Producers', 'Producers', both('Producers')),
    number('Consumers', 'Consumers', both('Consumers')),
  ],
  actions: [{
    word: 'Purge',
    title: (row) => `Purge the queue ${row.Name}?`,
    lost: (row) => `All messages that wait in it are lost; there are ${whole(row.BufferedMsgs)} now. The queue stays.`,
    act: (row) => request('POST', `/service/queue/${encoded(row.Name)}/purge`, { body: {} }).then((answer) => answer.Message),
  }],
};

const TOPICS = {
  title: 'Topics',
  note: 'The broker counts what is published to the parts of the topics that TopicMonitor objects name.',
  none: 'No TopicMonitor fits. Create one for a part of the topics, such as plant/#.',
  load: monitored('Topic'),
  order: 'PublishedMsgsHighest',
  nameOf: (row) => row.TopicString,
  filters: [{ name: 'TopicString', label: 'Topics' }],
  columns: [
    { name: 'TopicString', title: 'Topics', mono: true },
    number('PublishedMsgs', 'Published', both('PublishedMsgs')),
    number('Subscriptions', 'Subscriptions', both('Subscriptions')),
    number('RejectedMsgs', 'Rejected', both('RejectedMsgs')),
    number('FailedPublishes', 'Failed', both('FailedPublishes')),
    { title: 'Counted since', show: (row) => new Date(row.ResetTime).toLocaleString('en-GB') },
  ],
  actions: [],
};

const ENDPOINTS = {
  title: 'Endpoints',
  none: 'There is no endpoint that fits.',
  load: monitored('Endpoint'),
  order: 'ActiveConnections',
  nameOf: (row) => row.Name,
  filters: [{ name: 'Name', label: 'Name' }],
  columns: [
    { name: 'Name', title: 'Name' },
    { title: 'Address', mono: true, show: (row) => (row.IPAddr ? `${row.IPAddr}:${row.Port}` : '–') },
    { title: 'State', show: (row) => html`<span class=${`state state-${row.IPAddr ? 'good' : row.Enabled ? 'bad' : 'off'}`}>
      ${row.IPAddr ? 'listening' : row.Enabled ? row.ErrorMessage || 'does not listen' : 'disabled'}</span>` },
    { name: 'Active', title: 'Connections', number: true, orders: ['ActiveConnections'], show: (row) => whole(row.Active) },
    { title: 'Messages in', number: true, orders: ['ReadMsgs'], show: (row) => short(row.ReadMsgs) },
    { title: 'Messages out', number: true, orders: ['WriteMsgs'], show: (row) => short(row.WriteMsgs) },
    { title: 'Bytes in', number: true, orders: ['ReadBytes'], show: (row) => bytes(row.ReadBytes) },
    { title: 'Bytes out', number: true, orders: ['WriteBytes'], show: (row) => bytes(row.WriteBytes) },
    { title: 'Refused publishes', number: true, orders: ['LostMsgs'], show: (row) => short(row.LostMsgs) },
  ],
  actions: [],
};

/** Retained messages come by topic, page after page; the broker keeps no order of them but that. */
function retained() {
  const ends = ['']; // the topic that each page begins behind
  return async ({ filters, offset }) => {
    const page = Math.round(offset / 25);
    const query = new URLSearchParams({ ResultCount: 25, BodyBytes: 200, After: ends[page] ?? '' });
    const wanted = filters.find(([name]) => name === 'Filter');
    query.set('Filter', wanted ? wanted[1] : '#');
    const answer = await get(`/service/Retained?${query}`);
    const rows = answer.Retained;
    if (rows.length > 0) {
      ends[page + 1] = rows[rows.length - 1].Topic;
    }
    return { rows, found: answer.Total };
  };
}

const RETAINED = {
  title: 'Retained messages',
  note: 'A topic filter says which: + stands for a level, # for all further ones.',
  none: 'No topic that fits holds a retained message.',
  load: retained(),
  order: '',
  nameOf: (row) => row.Topic,
  filters: [{ name: 'Filter', label: 'Topic filter' }],
  columns: [
    { name: 'Topic', title: 'Topic', mono: true },
    { title: 'Body', mono: true, show: (row) => shownBody(row) },
    { name: 'QoS', title: 'QoS', number: true },
    { name: 'Publisher', title: 'Publisher', mono: true },
  ],
  actions: [{
    word: 'Delete',
    title: (row) => `Delete the retained message of ${row.Topic}?`,
    lost: () => 'New subscribers do not get it any more. Those who have it already hear nothing of it.',
    act: (row) => request('DELETE', `/service/Retained/${encoded(row.Topic)}`).then((answer) => answer.Message),
  }],
};

function shownBody(row) {
  const text = row.BodyIsHidden ? 'hidden' : row.Body ?? row.Text ?? row.BodyHex ?? '';
  return typeof text === 'string' ? text.slice(0, 80) : JSON.stringify(text).slice(0, 80);
}

const exploring = (kind) => function Explore({ may }) {
  return html`<${TablePage} kind=${kind} may=${may} />`;
};

export const Connections = exploring(CONNECTIONS);
export const Sessions = exploring(SESSIONS);
export const Subscriptions = exploring(SUBSCRIPTIONS);
export const Topics = exploring(TOPICS);
export const Endpoints = exploring(ENDPOINTS);
export const Retained = exploring(RETAINED);
