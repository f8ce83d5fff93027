// Why a client may do something or not: the policies of an endpoint, asked as the broker asks them.
import { html, useEffect, useReturns, useState } from './ui.js';
import { get, request } from './api.js';

const ACTIONS = [
  ['Connect', 'connect', ''],
  ['Publish', 'publish to a topic', 'Topic'],
  ['Subscribe', 'subscribe to a topic filter', 'Topic filter'],
  ['QueueSend', 'send to a queue', 'Queue'],
  ['QueueReceive', 'receive from a queue', 'Queue'],
  ['QueueBrowse', 'browse a queue', 'Queue'],
  ['QueueCreate', 'have a queue made', 'Queue'],
  ['SubscriptionReceive', 'receive from a global shared durable subscription', 'Subscription'],
  ['SubscriptionControl', 'create or delete a global shared durable subscription', 'Subscription'],
];
const WANTED = ['Topic', 'Queue', 'Subscription', 'ActionList'];
const EMPTY = { Action: 'Connect', Name: '', ClientID: '', UserID: '', Groups: '', ClientAddress: '', CommonName: '', Protocol: 'MQTT', Claims: '' };

/** Those that are configured and those that listen; one of the startup file is no object. */
async function endpointNames() {
  const [configured, listening] = await Promise.all([
    get('/configuration/Endpoint').then((answer) => Object.keys(answer.Endpoint || {}), () => []),
    get('/monitor/Endpoint?ResultCount=1000').then((answer) => answer.Endpoint.map((each) => each.Name), () => [])]);
  return [...new Set([...listening, ...configured])];
}

const listOf = (text) => text.split(',').map((each) => each.trim()).filter((each) => each !== '');

/** What the user has written, as the broker takes it; throws what to do. */
function bodyOf(form, endpoint) {
  const body = { Endpoint: endpoint, Action: form.Action, Protocol: form.Protocol };
  ['ClientID', 'UserID', 'ClientAddress', 'CommonName', 'Name'].forEach((name) => {
    const text = name === 'Name' || name === 'ClientID' ? form[name] : form[name].trim();
    if (text !== '' && !(name === 'Name' && form.Action === 'Connect')) {
      body[name] = text;
    }
  });
  if (listOf(form.Groups).length > 0) {
    body.Groups = listOf(form.Groups);
  }
  for (const claim of listOf(form.Claims)) {
    const at = claim.indexOf('=');
    if (at < 1) {
      throw new Error('Write each claim as NAME=VALUE, with commas between.');
    }
    body.Claims ||= {};
    (body.Claims[claim.slice(0, at)] ||= []).push(claim.slice(at + 1));
  }
  return body;
}

function Field({ label, name, form, onChange, ...more }) {
  return html`<label class="filter"><span>${label}</span>
    <input class="input" autocomplete="off" autocapitalize="none" spellcheck=${false} value=${form[name]}
      onInput=${(event) => onChange(name, event.target.value)} ...${more} /></label>`;
}

function Choice({ label, value, choices, onChange }) {
  return html`<label class="filter"><span>${label}</span>
    <select class="input" aria-label=${label} value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${choices.map(([each, text]) => html`<option key=${each} value=${each}>${text}</option>`)}</select></label>`;
}

function Difference({ difference }) {
  const { Filter, OfPolicy, OfClient } = difference;
  return html`<li><b>${Filter}</b>: the policy has <span class="mono">${OfPolicy}</span>, the client ${WANTED.includes(Filter) ? 'wants' : 'has'} ${
    OfClient === '' ? 'none' : html`<span class="mono">${OfClient}</span>`}</li>`;
}

function Decision({ answer }) {
  const isGood = answer.Allowed && answer.MayConnect;
  return html`
    <section class="configured" aria-label="Decision">
      <p class=${`note note-${isGood ? 'good' : answer.Allowed ? 'warn' : 'bad'}`} role="status">${answer.Message}</p>
      ${answer.Tried.length > 0 && html`
        <h2 class="section-title">${`Each ${answer.PolicyType}, in the order in which they are tried`}</h2>
        <ol class="plain-list" aria-label="Policies that were tried">
          ${answer.Tried.map((each) => html`
            <li class="message card" key=${each.Policy}>
              <p><b class="mono">${each.Policy}</b> <span class=${`state state-${each.Applies ? 'good' : 'off'}`}>${
                each.Applies ? 'applies and decides' : 'does not apply'}</span></p>
              ${each.Differences.length > 0 && html`<ul>${each.Differences.map((difference) => html`
                <${Difference} key=${difference.Filter} difference=${difference} />`)}</ul>`}
            </li>`)}
        </ol>`}
      ${answer.NotTried.length > 0 && html`<p class="muted">Not tried any more: ${answer.NotTried.join(', ')}.</p>`}
    </section>`;
}

export function Access() {
  const [endpoints, setEndpoints] = useState(null);
  const [endpoint, setEndpoint] = useState('');
  const [form, setForm] = useState(EMPTY);
  const [answer, setAnswer] = useState(null);
  const [problem, setProblem] = useState('');
  const returns = useReturns();
  const [, , nameLabel] = ACTIONS.find(([action]) => action === form.Action);

  useEffect(() => {
    endpointNames().then((names) => {
      setEndpoints(names);
      setEndpoint((before) => (names.includes(before) ? before : names[0] || ''));
    }, (failure) => setProblem(failure.message));
  }, [returns]);

  /** An old answer does not stand beside a new question. */
  function change(name, value) {
    setAnswer(null);
    setForm((before) => ({ ...before, [name]: value, ...(name === 'Action' && value.startsWith('Queue') ? { Protocol: 'JMS' } : {}) }));
  }

  async function submit(event) {
    event.preventDefault();
    setProblem('');
    setAnswer(null);
    try {
      setAnswer(await request('POST', '/service/access', { body: bodyOf(form, endpoint) }));
    } catch (failure) {
      setProblem(failure.message);
    }
  }

  return html`
    <h1 class="page-title">Explain access</h1>
    <p class="muted">Why a client may do something or not. The broker answers as it would answer the client, and nothing happens. The
      answer is about the policies alone, not about logins, limits and what there is.</p>
    ${endpoints && html`
      <form class="card form is-short" onSubmit=${submit} aria-label="Question">
        <div class="filters">
          <${Choice} label="Endpoint" value=${endpoint} choices=${endpoints.map((each) => [each, each])}
            onChange=${(name) => { setAnswer(null); setEndpoint(name); }} />
          <${Choice} label="The client wants to" value=${form.Action} choices=${ACTIONS} onChange=${(action) => change('Action', action)} />
          ${nameLabel && html`<${Field} label=${nameLabel} name="Name" required form=${form} onChange=${change} />`}
        </div>
        <div class="filters">
          <${Field} label="Client identifier" name="ClientID" form=${form} onChange=${change} />
          <${Field} label="User" name="UserID" placeholder="none" form=${form} onChange=${change} />
          <${Field} label="Groups, with commas between" name="Groups" placeholder="none" form=${form} onChange=${change} />
          <${Field} label="IP address" name="ClientAddress" placeholder="unknown" form=${form} onChange=${change} />
          <${Field} label="Common name of the certificate" name="CommonName" placeholder="none" form=${form} onChange=${change} />
          <${Choice} label="Protocol" value=${form.Protocol} choices=${[['MQTT', 'MQTT'], ['JMS', 'JMS and AMQP']]}
            onChange=${(protocol) => change('Protocol', protocol)} />
          <${Field} label="Claims of the token, NAME=VALUE" name="Claims" placeholder="none" form=${form} onChange=${change} />
        </div>
        ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
        <div class="form-foot"><span class="spacer"></span>
          <button type="submit" class="button primary" disabled=${!endpoint}>Explain</button></div>
      </form>
      ${answer && html`<${Decision} answer=${answer} />`}`}`;
}
