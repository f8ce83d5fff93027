// Try it: an MQTT client within the page, and a look into a queue. What arrives is shown as text.
import { html, useEffect, useRef, useReturns, useState } from './ui.js';
import { encoded, get } from './api.js';
import { bytes } from './format.js';
import { MessageList } from './explore.js';
import { SendToQueue } from './queue.js';
import { filterProblem, Malformed, topicProblem } from './mqtt.js';
import { open } from './mqtt-client.js';
import { Trouble } from './mqtt-reasons.js';

const MOST_MESSAGES = 200;
const MOST_SHOWN_BYTES = 10000;
const MOST_QUEUES = 200;
const SHOW_MS = 100;
const SESSION_MS = 10000;
const MOST_EXPIRY_SECONDS = 4294967295;
const QOS = [['0', '0: at most once'], ['1', '1: at least once'], ['2', '2: exactly once']];
const LOOPBACK = /^(localhost|127(\.\d+){3})$/;
const IPV6 = /^\[/;

const sentence = (failure) => (failure instanceof Trouble ? failure.message
  : failure instanceof Malformed ? `A text ${failure.message}: make it shorter.` : `${failure.message}.`.replace(/([.!?])\.$/, '$1'));
const urlOf = (endpoint) => `${endpoint.Encrypted ? 'wss' : 'ws'}://${location.hostname}:${endpoint.Port}/mqtt`;
/** Browsers let a page that came by TLS connect by TLS alone, but to their own machine. */
const isOpenTo = (endpoint) => endpoint.Encrypted || location.protocol !== 'https:' || LOOPBACK.test(location.hostname);

function newClientId() {
  return `console-${Array.from(crypto.getRandomValues(new Uint8Array(4)), (each) => each.toString(16).padStart(2, '0')).join('')}`;
}

/** Bytes as text where they are UTF-8, and as hexadecimal digits otherwise; the beginning of long ones. */
function shown(payload) {
  const part = payload.subarray(0, MOST_SHOWN_BYTES);
  const cut = part.length < payload.length ? ` … (the first ${MOST_SHOWN_BYTES} bytes of ${payload.length})` : '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(part, { stream: cut !== '' }) + cut;
  } catch {
    return Array.from(part.subarray(0, MOST_SHOWN_BYTES / 10), (each) => each.toString(16).padStart(2, '0')).join(' ')
      + (payload.length > MOST_SHOWN_BYTES / 10 ? ` … (the first ${MOST_SHOWN_BYTES / 10} bytes of ${payload.length})` : '');
  }
}

/** What a message has besides its topic and payload, as names and texts. */
function detailsOf({ properties }) {
  const told = [
    ['Content type', properties.contentType],
    ['Response topic', properties.responseTopic],
    ['Correlation data', properties.correlationData && shown(properties.correlationData)],
    ['Expires in', properties.expirySeconds === undefined ? undefined : `${properties.expirySeconds} s`],
    ['Payload format', properties.payloadFormat === 1 ? 'UTF-8 text' : undefined],
  ];
  return told.filter(([, value]) => value !== undefined);
}

function Text({ label, value, onChange, list, ...more }) {
  return html`<label class="filter"><span>${label}</span>
    <input class="input" autocomplete="off" autocapitalize="none" spellcheck=${false} list=${list} value=${value}
      onInput=${(event) => onChange(event.target.value)} ...${more} /></label>`;
}

function Choice({ label, value, choices, onChange, disabled }) {
  return html`<label class="filter"><span>${label}</span>
    <select class="input" aria-label=${label} value=${value} disabled=${disabled} onChange=${(event) => onChange(event.target.value)}>
      ${choices.map(([each, text]) => html`<option key=${each} value=${each}>${text}</option>`)}</select></label>`;
}

function Outcome({ problem, said }) {
  return html`${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${said && html`<p class="note note-good" role="status">${said}</p>`}`;
}

function Login({ endpoints, connection, onConnect, onDisconnect, problem }) {
  const usable = endpoints.filter(isOpenTo);
  const [name, setName] = useState(usable[0]?.Name);
  const [clientId, setClientId] = useState(newClientId);
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const endpoint = usable.find((each) => each.Name === name) || usable[0];

  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    await onConnect(urlOf(endpoint), { clientId, user: user === '' ? undefined : user, password: password === '' ? undefined : password });
    setBusy(false);
  }

  if (IPV6.test(location.hostname)) {
    return html`<p class="note note-warn">Open the console at a host name or an IPv4 address: the rule by which browsers guard this page
      cannot name an IPv6 address.</p>`;
  }
  if (!endpoint) {
    return html`<p class="note note-warn">${endpoints.length === 0
      ? 'No endpoint takes MQTT over WebSocket: enable an Endpoint whose Protocol has MQTT, and load this page again.'
      : 'This page came by TLS, and browsers let it connect by TLS alone: give an Endpoint a SecurityProfile, and load this page again.'}</p>`;
  }
  // The keys make them two buttons: one that became the other while it was clicked would connect again.
  return html`
    <form class="card form is-short" onSubmit=${submit} aria-labelledby="try-connect">
      <h2 id="try-connect">Connect</h2>
      <div class="filters">
        <${Choice} label="Endpoint" value=${endpoint.Name} disabled=${!!connection} onChange=${setName}
          choices=${usable.map((each) => [each.Name, `${each.Name}, port ${each.Port}${each.Encrypted ? ', TLS' : ''}`])} />
        <${Text} label="Client identifier" value=${clientId} disabled=${!!connection} onChange=${setClientId} />
        <${Text} label="MQTT user (optional)" value=${user} disabled=${!!connection} onChange=${setUser} />
        <${Text} label="MQTT password (optional)" type="password" autocomplete="new-password" value=${password} disabled=${!!connection}
          onChange=${setPassword} />
      </div>
      <${Outcome} problem=${problem} />
      <div class="form-foot">
        <span class=${`state state-${connection ? 'good' : 'off'}`} role="status">${connection
          ? `Connected as ${connection.clientId}` : 'Not connected'}</span>
        <span class="spacer"></span>
        ${connection ? html`<button key="disconnect" type="button" class="button" onClick=${onDisconnect}>Disconnect</button>`
          : html`<button key="connect" type="submit" class="button primary" disabled=${busy}>${busy ? 'Connecting …' : 'Connect'}</button>`}
      </div>
    </form>`;
}

function Subscriptions({ connection }) {
  const [filter, setFilter] = useState('plant/#');
  const [qos, setQos] = useState('1');
  const [made, setMade] = useState([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setMade([]);
    setProblem('');
  }, [connection]);

  async function act(doing) {
    setProblem('');
    try {
      await doing();
    } catch (failure) {
      setProblem(sentence(failure));
    }
  }

  function submit(event) {
    event.preventDefault();
    const wrong = filterProblem(filter);
    return act(async () => {
      if (wrong) {
        throw new Trouble(wrong);
      }
      const granted = await connection.subscribe(filter, Number(qos));
      setMade((before) => [...before.filter((each) => each.filter !== filter), { filter, granted }]);
    });
  }

  const remove = (old) => act(async () => {
    await connection.unsubscribe(old);
    setMade((before) => before.filter((each) => each.filter !== old));
  });

  return html`
    <form class="card form is-short" onSubmit=${submit} aria-labelledby="try-subscribe">
      <h2 id="try-subscribe">Subscribe</h2>
      <div class="filters">
        <${Text} label="Topic filter" value=${filter} onChange=${setFilter} />
        <${Choice} label="Highest QoS" value=${qos} choices=${QOS} onChange=${setQos} />
      </div>
      <${Outcome} problem=${problem} />
      ${made.length > 0 && html`<ul class="plain-list" aria-label="Subscriptions of this page">${made.map((each) => html`
        <li key=${each.filter}><span class="mono">${each.filter}</span> <span class="muted">QoS ${each.granted}</span>
          <button type="button" class="button small" aria-label=${`Unsubscribe from ${each.filter}`}
            onClick=${() => remove(each.filter)}>Unsubscribe</button></li>`)}</ul>`}
      <div class="form-foot"><span class="spacer"></span>
        <button type="submit" class="button primary" disabled=${!connection}>Subscribe</button></div>
    </form>`;
}

const NOTHING = { topic: 'plant/1/temperature', payload: '21.5', qos: '1', retain: false, contentType: '', responseTopic: '', correlation: '', expiry: '' };

/** The message as the user has written it; throws Trouble. */
function messageOf(form, pairs) {
  const wrong = topicProblem(form.topic);
  if (wrong) {
    throw new Trouble(wrong);
  }
  if (form.responseTopic && topicProblem(form.responseTopic)) {
    throw new Trouble(`Response topic: ${topicProblem(form.responseTopic)}`);
  }
  if (form.expiry !== '' && !(/^\d{1,10}$/.test(form.expiry) && Number(form.expiry) <= MOST_EXPIRY_SECONDS)) {
    throw new Trouble(`Give the message expiry in whole seconds, 0 to ${MOST_EXPIRY_SECONDS}, or leave it empty.`);
  }
  if (pairs.some(([name, value]) => name === '' && value !== '')) {
    throw new Trouble('Give each user property a name.');
  }
  const encoder = new TextEncoder();
  return {
    topic: form.topic,
    payload: encoder.encode(form.payload),
    qos: Number(form.qos),
    retain: form.retain,
    properties: {
      payloadFormat: 1,
      expirySeconds: form.expiry === '' ? undefined : Number(form.expiry),
      contentType: form.contentType || undefined,
      responseTopic: form.responseTopic || undefined,
      correlationData: form.correlation ? encoder.encode(form.correlation) : undefined,
      userProperties: pairs.filter(([name]) => name !== ''),
    },
  };
}

function Publisher({ connection }) {
  const [form, setForm] = useState(NOTHING);
  const [pairs, setPairs] = useState([['', '']]);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const change = (name) => (value) => setForm((before) => ({ ...before, [name]: value }));
  const changePair = (index, at) => (value) => setPairs((before) => before.map((pair, each) => (each !== index ? pair
    : at === 0 ? [value, pair[1]] : [pair[0], value])));

  async function submit(event) {
    event.preventDefault();
    setProblem('');
    setSaid('');
    try {
      const message = messageOf(form, pairs);
      await connection.publish(message);
      setSaid(message.qos === 0 ? `Sent to ${message.topic}.` : `The broker has taken the message for ${message.topic}.`);
    } catch (failure) {
      setProblem(sentence(failure));
    }
  }

  return html`
    <form class="card form is-short" onSubmit=${submit} aria-labelledby="try-publish">
      <h2 id="try-publish">Publish</h2>
      <div class="filters">
        <${Text} label="Topic" value=${form.topic} onChange=${change('topic')} />
        <${Choice} label="QoS" value=${form.qos} choices=${QOS} onChange=${change('qos')} />
      </div>
      <label class="field">Payload
        <textarea rows="3" spellcheck=${false} value=${form.payload} onInput=${(event) => change('payload')(event.target.value)}></textarea></label>
      <label class="check"><input type="checkbox" checked=${form.retain} onChange=${(event) => change('retain')(event.target.checked)} />
        Retain: new subscribers get it, too</label>
      <details><summary>Properties</summary>
        <div class="filters more">
          <${Text} label="Content type" placeholder="text/plain" value=${form.contentType} onChange=${change('contentType')} />
          <${Text} label="Response topic" value=${form.responseTopic} onChange=${change('responseTopic')} />
          <${Text} label="Correlation data" value=${form.correlation} onChange=${change('correlation')} />
          <${Text} label="Message expiry in seconds" inputmode="numeric" placeholder="never" value=${form.expiry} onChange=${change('expiry')} />
          ${pairs.map(([name, value], index) => html`
            <${Text} key=${`n${index}`} label=${`User property ${index + 1}, name`} value=${name} onChange=${changePair(index, 0)} />
            <${Text} key=${`v${index}`} label=${`User property ${index + 1}, value`} value=${value} onChange=${changePair(index, 1)} />`)}
        </div>
        <button type="button" class="button small" onClick=${() => setPairs([...pairs, ['', '']])}>Another user property</button>
      </details>
      <${Outcome} problem=${problem} said=${said} />
      <div class="form-foot"><span class="spacer"></span>
        <button type="submit" class="button primary" disabled=${!connection}>Publish</button></div>
    </form>`;
}

function Arrived({ messages, count, onClear }) {
  return html`
    <div class="section-head"><h2 class="section-title">Messages</h2>
      <span class="muted" role="status">${count === 0 ? 'None has come yet.'
        : count === 1 ? 'One has come.' : count > messages.length ? `${count} have come; the newest ${messages.length} are here.` : `${count} have come, the newest first.`}</span>
      <span class="spacer"></span>
      <button type="button" class="button small" disabled=${count === 0} onClick=${onClear}>Clear</button></div>
    <ol class="plain-list" aria-label="Messages that have come">
      ${messages.map((each) => html`
        <li class="message card" key=${each.number}>
          <p><span class="mono">${each.topic}</span>
            <span class="muted small"> ${each.time} · QoS ${each.qos}${each.retain ? ' · retained' : ''} · ${bytes(each.bytes)}</span></p>
          <p class="mono payload">${each.text}</p>
          ${(each.details.length > 0 || each.userProperties.length > 0) && html`<dl class="details">
            ${each.details.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
            ${each.userProperties.map(([name, value], index) => html`
              <div key=${`u${index}`}><dt>User property ${name}</dt><dd>${value}</dd></div>`)}
          </dl>`}
        </li>`)}
    </ol>`;
}

function QueueLook() {
  const [name, setName] = useState('');
  const [names, setNames] = useState([]);
  const [messages, setMessages] = useState(null);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    get(`/monitor/Queue?StatType=BufferedMsgsHighest&ResultCount=${MOST_QUEUES}`, { background: true })
      .then((answer) => setNames(answer.Queue.map((each) => each.Name)), () => {}); // the field takes any name
  }, []);

  async function submit(event) {
    event.preventDefault();
    setProblem('');
    setMessages(null);
    try {
      setMessages((await get(`/service/queue/${encoded(name)}/message?ResultCount=25&BodyBytes=1000`)).Message);
    } catch (failure) {
      setProblem(failure.status === 404 ? `There is no queue “${name}”: choose one of the list.` : sentence(failure));
    }
  }

  return html`
    <form class="card form is-short" onSubmit=${submit} aria-labelledby="try-queue">
      <h2 id="try-queue">Browse a queue</h2>
      <p class="muted">What waits in a queue for JMS and AMQP clients, the next 25 messages; none is taken.</p>
      <div class="filters"><${Text} label="Queue" list="try-queues" required value=${name} onChange=${setName} />
        <datalist id="try-queues">${names.map((each) => html`<option key=${each} value=${each} />`)}</datalist></div>
      <${Outcome} problem=${problem} />
      <${MessageList} messages=${messages} />
      <div class="form-foot"><span class="spacer"></span><button type="submit" class="button">Browse</button></div>
    </form>`;
}

export function TryIt() {
  const [endpoints, setEndpoints] = useState(null);
  const [refused, setRefused] = useState('');
  const [connection, setConnection] = useState(null);
  const [problem, setProblem] = useState('');
  const [arrived, setArrived] = useState({ messages: [], count: 0 });
  const here = useRef({ connection: null, gone: false, news: [], number: 0, timer: 0, isUsed: false });

  const returns = useReturns();

  useEffect(() => {
    get('/service/websocket').then((answer) => { setEndpoints(answer.Endpoint); setRefused(''); }, (failure) => setRefused(sentence(failure)));
  }, [returns]);
  useEffect(() => {
    const session = setInterval(() => { // as MQTT would go on without it, and what the user does here counts
      get('/service/session', { background: !here.current.isUsed }).catch(() => {});
      here.current.isUsed = false;
    }, SESSION_MS);
    return () => {
      here.current.gone = true;
      clearInterval(session);
      clearTimeout(here.current.timer);
      here.current.connection?.close();
    };
  }, []);

  /** Shows what has come, several at once, so that many messages hold up nothing. */
  function show() {
    const { news } = here.current;
    here.current.news = [];
    here.current.timer = 0;
    setArrived((before) => ({
      messages: [...news.slice(-MOST_MESSAGES).reverse(), ...before.messages].slice(0, MOST_MESSAGES), count: here.current.number,
    }));
  }

  function onMessage(packet) {
    const now = here.current;
    now.number += 1;
    now.news.push({
      number: now.number, topic: packet.topic, qos: packet.qos, retain: packet.retain, bytes: packet.payload.length,
      text: shown(packet.payload), details: detailsOf(packet), userProperties: packet.properties.userProperties,
      time: new Date().toLocaleTimeString('en-GB'),
    });
    if (now.news.length > MOST_MESSAGES) {
      now.news.shift();
    }
    if (!now.timer) {
      now.timer = setTimeout(show, SHOW_MS);
    }
  }

  async function connect(url, login) {
    setProblem('');
    try {
      const made = await open(url, login, {
        onMessage,
        onClosed: (why) => {
          here.current.connection = null;
          setConnection(null);
          setProblem(why);
        },
      });
      if (here.current.gone) {
        made.close();
        return;
      }
      made.clientId = made.broker.assignedClientId ?? login.clientId;
      here.current.connection = made;
      setConnection(made);
    } catch (failure) {
      setProblem(sentence(failure));
    }
  }

  function use() {
    here.current.isUsed = true;
  }

  function clear() {
    here.current.number = 0;
    here.current.news = [];
    setArrived({ messages: [], count: 0 });
  }

  return html`
    <h1 class="page-title">Try it</h1>
    <p class="muted">An MQTT client within this page. For the broker it is a client as any other, with the rights of its own user. It
      disconnects when you leave the page, and nothing of its session stays.</p>
    ${refused && html`<p class="note note-bad" role="alert">${refused}</p>`}
    ${!endpoints ? !refused && html`<p class="muted" role="status">Asking the broker …</p>` : html`
      <${Login} endpoints=${endpoints} connection=${connection} problem=${problem} onConnect=${connect}
        onDisconnect=${() => here.current.connection?.close()} />
      <div class="halves" onInput=${use} onClick=${use}>
        <${Subscriptions} connection=${connection} />
        <${Publisher} connection=${connection} />
      </div>
      <${Arrived} ...${arrived} onClear=${clear} />
      <div class="halves" onInput=${use} onClick=${use}>
        <${QueueLook} />
        <${SendToQueue} />
      </div>`}`;
}
