// The whole configuration out of this broker and into it.
import { html, useState } from './ui.js';
import { get, request } from './api.js';
import * as changes from './changeset.js';
import { Differences } from './difference.js';
import { bytes } from './format.js';

const MOST_BYTES = 3 * 1024 * 1024 - 1024; // a request has 4 MiB at most, and Base64 makes three bytes four

function save(name, type, parts) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const today = () => new Date().toISOString().slice(0, 10);
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

async function toBase64(file) {
  const content = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < content.length; at += 32768) {
    text += String.fromCharCode(...content.subarray(at, at + 32768));
  }
  return btoa(text);
}

function Password({ label, value, onChange }) {
  return html`<label class="filter"><span>${label}</span><input class="input" type="password" autocomplete="new-password" required
    value=${value} onInput=${(event) => onChange(event.target.value)} /></label>`;
}

function Check({ label, value, onChange }) {
  return html`<label class="check"><input type="checkbox" checked=${value} onChange=${(event) => onChange(event.target.checked)} />${label}</label>`;
}

function Export() {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function submit(event) {
    event.preventDefault();
    setProblem('');
    setSaid('');
    if (password !== again) {
      setProblem('The two passwords differ.');
      return;
    }
    setBusy(true);
    try {
      const answer = await request('POST', '/service/export', { body: { Password: password } });
      save(`avocet-${today()}.export`, 'application/octet-stream', [fromBase64(answer.Content)]);
      setSaid('The export is in your downloads. Without its password it cannot be read, by you either.');
      setPassword('');
      setAgain('');
    } catch (failure) {
      setProblem(failure.message);
    }
    setBusy(false);
  }

  async function plain() {
    setProblem('');
    try {
      const { Version, ...objects } = await get('/configuration');
      save(`avocet-${today()}.json`, 'application/json', [JSON.stringify(objects, null, 2)]);
      setSaid('The objects are in your downloads. Passwords are not among them.');
    } catch (failure) {
      setProblem(failure.message);
    }
  }

  return html`
    <form class="card form is-short" onSubmit=${submit} aria-label="Export">
      <h2>Export</h2>
      <p class="muted">All objects with their passwords, certificates, keys and users, in a file that your password seals. Messages and sessions are not
        in it.</p>
      <div class="filters"><${Password} label="Password of the file" value=${password} onChange=${setPassword} />
        <${Password} label="The same again" value=${again} onChange=${setAgain} /></div>
      ${said && html`<p class="note note-good" role="status">${said}</p>`}
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      <div class="form-foot"><button type="button" class="button" onClick=${plain}>Objects without secrets, as JSON</button>
        <span class="spacer"></span><button type="submit" class="button primary" disabled=${busy || !password}>Export</button></div>
    </form>`;
}

function Import() {
  const [file, setFile] = useState(null);
  const [password, setPassword] = useState('');
  const [options, setOptions] = useState({ DisableObjects: false, OverwriteFiles: false });
  const [preview, setPreview] = useState(null);
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  /** An old preview does not stand beside another question. */
  const change = (set) => (value) => { setPreview(null); setSaid(''); set(value); };

  async function ask(applies) {
    const body = { Content: await toBase64(file), Password: password, ApplyConfig: applies, ...options };
    return request('POST', '/service/import', { body, whole: true, headers: applies ? { 'If-Match': preview.tag } : {} });
  }

  async function go(applies) {
    setBusy(true);
    setProblem('');
    try {
      if (file.size > MOST_BYTES) {
        throw new Error(`${file.name} has ${bytes(file.size)}, and a browser can send ${bytes(MOST_BYTES)}. Put it into data/export of the broker's machine, and`
          + ' take it in with POST /service/import and FileName.');
      }
      const { json, headers } = await ask(applies);
      setPreview(applies ? null : { ...json, tag: headers.get('ETag') });
      setSaid(applies ? `${json.Message} It is version ${json.ConfigurationVersion} now.` : '');
    } catch (failure) {
      setPreview(null);
      setProblem(failure.status === 412
        ? 'Another administrator has changed the configuration since the preview. Nothing is changed; look at the preview again.' : failure.message);
    }
    setBusy(false);
  }

  return html`
    <form class="card form is-short" onSubmit=${(event) => { event.preventDefault(); go(false); }} aria-label="Import">
      <h2>Import</h2>
      <p class="muted">Creates and changes what is in an export; what is not in it stays. You see what would be different before anything is.</p>
      <div class="filters">
        <label class="filter"><span>Export</span><input class="input" type="file" required onChange=${(event) => change(setFile)(event.target.files[0] || null)} /></label>
        <${Password} label="Password of the file" value=${password} onChange=${change(setPassword)} />
      </div>
      <${Check} label="Endpoints come in disabled" value=${options.DisableObjects} onChange=${(on) => change(setOptions)({ ...options, DisableObjects: on })} />
      <${Check} label="Replace files that are there and different" value=${options.OverwriteFiles}
        onChange=${(on) => change(setOptions)({ ...options, OverwriteFiles: on })} />
      ${said && html`<p class="note note-good" role="status">${said}</p>`}
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      ${preview && html`
        <h3 class="part-title">What would be different</h3>
        <${Differences} differences=${preview.Differences} label="What would be different" />
        <p class="muted">${preview.Files.length > 0 ? `Files that are written: ${preview.Files.join(', ')}.` : 'No file is written.'}</p>`}
      <div class="form-foot"><span class="spacer"></span>
        <button type="submit" class=${preview ? 'button' : 'button primary'} disabled=${busy || !file || !password}>Preview</button>
        ${preview && html`<button type="button" class="button primary" disabled=${busy} onClick=${() => go(true)}>Import</button>`}</div>
    </form>`;
}

/** What the broker adds to objects that it shows, and that is not a property. */
const ADDED = ['PendingDelete', 'ExpirationDate'];
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Collects what a document of objects makes different here; returns how many objects that is. */
function collect(document, schemas, present, tag) {
  let count = 0;
  const add = (type, name, given, before) => {
    const schema = schemas[type].properties;
    const properties = Object.fromEntries(Object.entries(given)
      .filter(([each, value]) => !ADDED.includes(each) && !schema[each]?.readOnly && !(schema[each]?.writeOnly && value === '********') && value !== before?.[each]
        && !(each === Object.keys(schema)[0] && value === name))
      .map(([each, value]) => [each, { before: before?.[each], after: value }]));
    if (before === undefined || Object.keys(properties).length > 0) {
      changes.put({ action: before === undefined ? 'create' : 'update', type, name, properties,
        secrets: Object.keys(properties).filter((each) => schema[each]?.writeOnly) }, tag);
      count += 1;
    }
  };
  const values = {};
  Object.entries(document).forEach(([type, given]) => {
    if (type in schemas.Singletons.properties) {
      values[type] = given;
    } else if (type !== 'Version' && (!(type in schemas) || !isObject(given))) {
      throw new Error(`${type} is neither a kind of object nor a value that this broker knows.`);
    } else if (changes.isSingle(type)) {
      add(type, '', given, present[type]);
    } else if (type !== 'Version') {
      Object.entries(given).forEach(([name, properties]) => add(type, name, properties || {}, present[type]?.[name]));
    }
  });
  if (Object.keys(values).length > 0) {
    add('Singletons', '', values, present);
  }
  return count;
}

function Document() {
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');

  async function read(file) {
    setProblem('');
    setSaid('');
    try {
      const document = JSON.parse(await file.text());
      if (!isObject(document)) {
        throw new Error('It has to be an object in braces.');
      }
      const [description, { json, headers }] = await Promise.all([get('/openapi.json'), get('/configuration', { whole: true })]);
      if (collect(document, description.components.schemas, json, headers.get('ETag')) === 0) {
        setSaid('The configuration is like that already.');
      } else {
        location.hash = '#/changes';
      }
    } catch (failure) {
      setProblem(`${file.name}: ${failure.message}`);
    }
  }

  return html`
    <section class="card form is-short" aria-label="Take objects from JSON">
      <h2>Objects from JSON</h2>
      <p class="muted">Objects as the export without secrets has them, or broker-admin apply takes them. What they make different here comes into the
        change set; nothing is applied before you have seen it.</p>
      <label class="filter"><span>Objects</span><input class="input" type="file" accept=".json,application/json"
        onChange=${(event) => event.target.files[0] && read(event.target.files[0])} /></label>
      ${said && html`<p class="note note-good" role="status">${said}</p>`}
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    </section>`;
}

export function Transfer() {
  return html`
    <h1 class="page-title">Export and import</h1>
    <div class="halves"><${Export} /><div class="configured"><${Import} /><${Document} /></div></div>`;
}
