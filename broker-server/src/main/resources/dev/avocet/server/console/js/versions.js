// The versions of the configuration that the broker keeps: who made each, what is different between two, and the way back.
import { html, useEffect, useReturns, useState } from './ui.js';
import { get, request } from './api.js';
import { Dialog } from './dialog.js';
import { Differences } from './difference.js';

const NOW = '';
const MOST_SENTENCES = 6;
const MOST_VERSIONS = 50;
const LOSSES = [
  ['DiscardMessages', ['Queue'], 'Delete queues with the messages that wait in them'],
  ['DiscardSharers', ['AdminSubscription', 'DurableNamespaceAdminSub', 'NonpersistentAdminSub'], 'Delete subscriptions also while clients share them'],
];

const diff = (from, to) => get(`/configuration/versions/${from}/diff${to === NOW ? '' : `?To=${to}`}`);
const when = (note) => (note.Time ? new Date(note.Time).toLocaleString('en-GB') : 'at a time that is not known');
const who = (note) => note.User || (note.ClientAddress ? 'an administrator' : 'the broker');

function RollBack({ version, present, onDone, onClose }) {
  const [difference, setDifference] = useState(null);
  const [options, setOptions] = useState({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    diff(present, version).then((answer) => setDifference(answer.Differences), (failure) => setProblem(failure.message));
  }, []);

  async function go() {
    setBusy(true);
    setProblem('');
    const query = new URLSearchParams(Object.entries(options).filter(([, isOn]) => isOn).map(([name]) => [name, 'true'])).toString();
    try {
      const answer = await request('POST', `/configuration/versions/${version}/rollback${query && `?${query}`}`,
        { headers: { 'If-Match': `"${present}"` } });
      onDone(`${answer.Message} It is as in version ${version}, and is version ${answer.ConfigurationVersion} now.`);
    } catch (failure) {
      setProblem(failure.status === 412
        ? 'Another administrator has changed the configuration meanwhile. Nothing is changed. Close this, and look at the newest version first.'
        : failure.message);
      setBusy(false);
    }
  }

  const losses = (difference || []).some((each) => each.Change === 'deleted')
    ? LOSSES.filter(([, types]) => difference.some((each) => each.Change === 'deleted' && types.includes(each.Type))) : [];
  return html`
    <${Dialog} title=${`Go back to version ${version}?`} onClose=${onClose} wide>
      <p>The objects become what they were in version ${version}, all of them or none. That makes a new version, which you can go back from
        as well. Passwords, users and uploaded files stay as they are.</p>
      ${difference ? html`<${Differences} differences=${difference} label="What will be different" />`
        : !problem && html`<p class="muted" role="status">Asking the broker …</p>`}
      ${losses.map(([name, , text]) => html`<label class="check" key=${name}>
        <input type="checkbox" checked=${Boolean(options[name])} onChange=${(event) => setOptions({ ...options, [name]: event.target.checked })} />${text}</label>`)}
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      <div class="dialog-foot">
        <button type="button" class="button" onClick=${onClose}>Cancel</button>
        <button type="button" class="button danger primary" disabled=${busy || !difference || difference.length === 0} onClick=${go}>Go back</button>
      </div>
    </${Dialog}>`;
}

function Version({ note, previous, isPresent, mayChange, onDiff, onRollBack }) {
  const more = note.Changes.length - MOST_SENTENCES + note.MoreChanges;
  return html`
    <li class="card version">
      <p class="diff-head"><b>Version ${note.ConfigurationVersion}</b>${isPresent && html`<span class="badge">now</span>`}
        <span>${when(note)}, ${who(note)}${note.ClientAddress && html` <span class="muted">from ${note.ClientAddress}</span>`}</span>
        <span class="muted">${note.Action}</span>
        <span class="spacer"></span>
        ${previous && html`<button type="button" class="button small" aria-label=${`What it changed as version ${note.ConfigurationVersion}`}
          onClick=${() => onDiff(previous.ConfigurationVersion, note.ConfigurationVersion)}>What it changed</button>`}
        ${!isPresent && html`<button type="button" class="button small" aria-label=${`Compare with now: version ${note.ConfigurationVersion}`}
          onClick=${() => onDiff(note.ConfigurationVersion, NOW)}>Compare with now</button>`}
        ${mayChange && !isPresent && html`<button type="button" class="button small danger" aria-label=${`Go back to version ${note.ConfigurationVersion}`}
          onClick=${onRollBack}>Go back …</button>`}</p>
      <ul class="sentences">${note.Changes.slice(0, MOST_SENTENCES).map((sentence) => html`<li key=${sentence}>${sentence}</li>`)}
        ${more > 0 && html`<li class="muted">${more} more</li>`}</ul>
    </li>`;
}

function Compare({ notes, from, to, onChange }) {
  const choice = (label, value, choices, set) => html`
    <label class="filter"><span>${label}</span><select class="input" value=${value} onChange=${(event) => set(event.target.value)}>
      ${choices.map(([each, text]) => html`<option key=${each} value=${each}>${text}</option>`)}</select></label>`;
  const versions = notes.map((note) => [String(note.ConfigurationVersion), `Version ${note.ConfigurationVersion}, ${who(note)}`]);
  return html`<div class="filters">
    ${choice('Compare', from, [['', 'choose'], ...versions], (value) => onChange(value, to))}
    ${choice('with', to, [[NOW, 'now'], ...versions], (value) => onChange(from, value))}</div>`;
}

export function History({ may }) {
  const [history, setHistory] = useState(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const [asked, setAsked] = useState(0);
  const [range, setRange] = useState({ from: '', to: NOW });
  const [difference, setDifference] = useState(null);
  const [goingTo, setGoingTo] = useState(null);
  const [shown, setShown] = useState(MOST_VERSIONS);
  const returns = useReturns();

  useEffect(() => {
    get('/configuration/versions').then((answer) => { setHistory(answer); setProblem(''); }, (failure) => setProblem(failure.message));
  }, [asked, returns]);
  useEffect(() => {
    setDifference(null);
    if (range.from) {
      diff(range.from, range.to).then(setDifference, (failure) => setProblem(failure.message));
    }
  }, [range.from, range.to, asked, returns]);

  const choose = (from, to) => setRange({ from: String(from), to: String(to) });
  return html`
    <div class="section-head"><h1 class="page-title">History</h1>
      <button type="button" class="button small" onClick=${() => { setSaid(''); setAsked(asked + 1); }}>Refresh</button></div>
    ${said && html`<p class="note note-good" role="status">${said}</p>`}
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${!history ? !problem && html`<p class="muted" role="status">Asking the broker …</p>` : html`
      <p class="muted">The broker keeps the last ${history.History.length} versions, and as many as <a href="#/configure/Singletons">MaxConfigurationVersions</a> says.</p>
      <${Compare} notes=${history.History} from=${range.from} to=${range.to} onChange=${choose} />
      ${difference && html`
        <section class="configured" aria-label="Difference">
          <h2 class="section-title">Version ${difference.From} → ${range.to === NOW ? `now (version ${difference.To})` : `version ${difference.To}`}</h2>
          <${Differences} differences=${difference.Differences} label="What is different" />
        </section>`}
      <ul class="plain-list" aria-label="Versions">
        ${history.History.slice(0, shown).map((note, index) => html`
          <${Version} key=${note.ConfigurationVersion} note=${note} previous=${history.History[index + 1]} mayChange=${may('Configure')}
            isPresent=${note.ConfigurationVersion === history.ConfigurationVersion} onDiff=${choose}
            onRollBack=${() => setGoingTo(note.ConfigurationVersion)} />`)}
      </ul>
      ${history.History.length > shown && html`<button type="button" class="button" onClick=${() => setShown(shown + MOST_VERSIONS)}>
        Show older ones, of which there are ${history.History.length - shown}</button>`}`}
    ${goingTo !== null && html`
      <${RollBack} version=${goingTo} present=${history.ConfigurationVersion} onClose=${() => { setGoingTo(null); setAsked(asked + 1); }}
        onDone=${(message) => { setGoingTo(null); setSaid(message); setRange({ from: '', to: NOW }); setAsked(asked + 1); }} />`}`;
}
