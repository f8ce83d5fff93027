// The objects of the configuration, by forms that the broker's own description of them makes.
import { classes, html, useEffect, useState } from './ui.js';
import { encoded, get, request } from './api.js';
import { Confirmation } from './dialog.js';
import { icon } from './icons.js';

const SINGLE = ['Singletons', 'LDAP', 'HighAvailability', 'AdminEndpoint'];
const ONE = /Takes the name of an? (\w+)\./;
const SEVERAL = /Takes names of up to \d+ (\w+) objects/;
const MOST_SHOWN = 200;
const isSingle = (type) => SINGLE.includes(type);

async function readAll() {
  const [description, { json, headers }] = await Promise.all([
    get('/openapi.json'), get('/configuration', { whole: true })]);
  const { Refusal, ...schemas } = description.components.schemas;
  return { schemas, objects: json, tag: headers.get('ETag') };
}

/** The present values of an object; of a new one, none. */
function valuesOf({ schemas, objects }, type, name) {
  if (type === 'Singletons') {
    return Object.fromEntries(Object.keys(schemas[type].properties).filter((each) => each in objects).map((each) => [each, objects[each]]));
  }
  return (isSingle(type) ? objects[type] : objects[type]?.[name]) || {};
}

function Field({ id, name, property, value, names, required, problem, disabled, onChange }) {
  const of = (ONE.exec(property.description) || SEVERAL.exec(property.description) || [])[1];
  const common = { id, disabled, 'aria-describedby': `${id}-about`, 'aria-invalid': problem ? 'true' : undefined };
  let input;
  if (property.type === 'boolean') {
    input = html`<select ...${common} class="input" value=${value === undefined ? '' : String(value)}
      onChange=${(event) => onChange(event.target.value === '' ? undefined : event.target.value === 'true')}>
      ${value === undefined && html`<option value="">${`default: ${property.default ?? ''}`}</option>`}
      <option value="true">true</option><option value="false">false</option></select>`;
  } else if (property.enum) {
    input = html`<select ...${common} class="input" value=${value ?? ''} onChange=${(event) => onChange(event.target.value || undefined)}>
      ${value === undefined && html`<option value="">${`default: ${property.default ?? ''}`}</option>`}
      ${property.enum.map((word) => html`<option key=${word} value=${word}>${word}</option>`)}</select>`;
  } else {
    const isNumber = property.type === 'integer';
    input = html`<input ...${common} class="input" type=${property.writeOnly ? 'password' : 'text'} inputmode=${isNumber ? 'numeric' : undefined}
      autocomplete=${property.writeOnly ? 'new-password' : 'off'} spellcheck=${false} required=${required}
      placeholder=${property.default === undefined ? '' : `default: ${property.default}`} list=${of ? `${id}-names` : undefined}
      value=${value ?? ''} onInput=${(event) => onChange(event.target.value)} />
      ${of && html`<datalist id=${`${id}-names`}>${names(of).map((each) => html`<option key=${each} value=${each} />`)}</datalist>`}`;
  }
  return html`
    <div class=${classes('form-row', problem && 'has-problem')}>
      <label for=${id}>${name}${required && html`<span class="muted"> (required)</span>`}</label>
      <div>${input}${problem && html`<p class="field-problem" role="alert">${problem}</p>`}</div>
      <p class="small muted" id=${`${id}-about`}>${property.description}</p>
    </div>`;
}

/** What the user wrote, as the broker takes it: a number that is none is sent as it is, and refused with a reason. */
function plain(property, value) {
  return property.type === 'integer' && /^-?\d{1,15}$/.test(String(value).trim()) ? Number(value) : value;
}

function Form({ all, type, name, mayChange, onSaved, onDelete }) {
  const schema = all.schemas[type];
  const isNew = !isSingle(type) && name === undefined;
  const before = valuesOf(all, type, name);
  const key = isSingle(type) ? '' : Object.keys(schema.properties).find((each) => before[each] === name && !isNew) || Object.keys(schema.properties)[0];
  const [changed, setChanged] = useState({});
  const [newName, setNewName] = useState('');
  const [problems, setProblems] = useState([]);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const names = (of) => Object.keys(all.objects[of] || {});
  const properties = Object.entries(schema.properties).filter(([each, property]) => each !== key && (mayChange ? !property.readOnly : true));

  async function save(event) {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    setProblems([]);
    const values = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)
      .map(([each, value]) => [each, plain(schema.properties[each], value)]));
    const body = type === 'Singletons' ? values : { [type]: isSingle(type) ? values : { [isNew ? newName : name]: values } };
    try {
      const answer = await request('POST', '/configuration', { body, headers: all.tag ? { 'If-Match': all.tag } : {} });
      onSaved(answer.Message, isNew ? newName : name);
    } catch (failure) {
      const known = (failure.problems || []).filter((each) => each.Property in schema.properties && each.Property !== key);
      setProblems(known);
      setProblem(failure.status === 412
        ? 'Another administrator has changed the configuration meanwhile. Load it again, look at what is different, and change it then.'
        : known.length > 0 ? 'Nothing is changed. See what is wrong below.' : failure.message);
      setBusy(false);
    }
  }

  return html`
    <form class="card form" onSubmit=${save} noValidate aria-labelledby="form-title">
      <h2 id="form-title">${isSingle(type) ? type : isNew ? `New ${type}` : `${type} ${name}`}</h2>
      <p class="muted">${schema.description}</p>
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      ${isNew && html`<${Field} id="f-key" name=${key} property=${schema.properties[key]} value=${newName} names=${names} required
        onChange=${setNewName} />`}
      ${properties.map(([each, property]) => html`
        <${Field} key=${each} id=${`f-${each}`} name=${each} property=${property} names=${names}
          value=${each in changed ? changed[each] : before[each]} disabled=${!mayChange}
          required=${(schema.required || []).includes(each)}
          problem=${problems.find((found) => found.Property === each)?.Message}
          onChange=${(value) => setChanged({ ...changed, [each]: value })} />`)}
      ${mayChange && html`
        <div class="form-foot">
          ${!isNew && !isSingle(type) && html`<button type="button" class="button danger" onClick=${onDelete}>Delete …</button>`}
          <span class="spacer"></span>
          <button type="submit" class="button primary" disabled=${busy || (isNew ? !newName : Object.keys(changed).length === 0)}>
            ${isNew ? 'Create' : 'Save'}</button>
        </div>`}
    </form>`;
}

function place(type, name) {
  location.hash = name === undefined ? `#/configure/${encoded(type)}` : `#/configure/${encoded(type)}/${encoded(name)}`;
}

export function Configure({ may, rest }) {
  const [all, setAll] = useState(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const [asked, setAsked] = useState(0);
  const [search, setSearch] = useState('');
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const mayChange = may('Configure');
  const type = all?.schemas[rest[0]] ? rest[0] : 'Endpoint';
  const name = rest[1];

  useEffect(() => {
    readAll().then((read) => { setAll(read); setProblem(''); }, (failure) => setProblem(failure.message));
  }, [asked]);
  useEffect(() => setMaking(false), [rest[0], rest[1]]);

  if (!all) {
    return html`<h1 class="page-title">Configuration</h1>
      ${problem ? html`<p class="note note-bad" role="alert">${problem}</p>` : html`<p class="muted" role="status">Asking the broker …</p>`}`;
  }
  const names = isSingle(type) ? [] : Object.keys(all.objects[type] || {}).filter((each) => each.toLowerCase().includes(search.toLowerCase()));
  const again = (message) => { setSaid(message); setAsked(asked + 1); };
  const shown = isSingle(type) || making || (name !== undefined && all.objects[type]?.[name]);
  return html`
    <div class="section-head"><h1 class="page-title">Configuration</h1>
      <button type="button" class="button small" onClick=${() => again('')}>Refresh</button></div>
    ${!mayChange && html`<p class="muted">You may look at the configuration, and not change it.</p>`}
    <div class="configure">
      <div class="card objects">
        <label class="filter"><span>Kind</span>
          <select class="input" value=${type} onChange=${(event) => { setSaid(''); place(event.target.value); }}>
            ${Object.keys(all.schemas).map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select></label>
        ${!isSingle(type) && html`
          <label class="filter"><span>Name</span>
            <input class="input" type="search" placeholder="any" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label>
          <ul aria-label=${`Objects of the kind ${type}`}>
            ${names.slice(0, MOST_SHOWN).map((each) => html`
              <li key=${each}><a href=${`#/configure/${encoded(type)}/${encoded(each)}`}
                class=${classes('side-link', each === name && !making && 'is-current')}
                aria-current=${each === name ? 'true' : undefined} onClick=${() => { setMaking(false); setSaid(''); }}>${each}</a></li>`)}
          </ul>
          ${names.length > MOST_SHOWN && html`<p class="small muted">${`${names.length - MOST_SHOWN} more; give a part of the name.`}</p>`}
          ${names.length === 0 && html`<p class="small muted">There is none.</p>`}
          ${mayChange && html`<button type="button" class="button wide" onClick=${() => { setMaking(true); setSaid(''); }}>New ${type}</button>`}`}
      </div>
      <div class="configured">
        ${said && html`<p class="note note-good" role="status">${said}</p>`}
        ${shown
          ? html`<${Form} key=${`${type}/${making ? '' : name}/${all.tag}`} all=${all} type=${type} name=${making ? undefined : name}
              mayChange=${mayChange} onDelete=${() => setDeleting(true)}
              onSaved=${(message, saved) => { again(message); setMaking(false); if (!isSingle(type) && saved !== name) { place(type, saved); } }} />`
          : html`<p class="muted">${all.schemas[type].description} Choose one, or make a new one.</p>`}
      </div>
    </div>
    ${deleting && html`
      <${Confirmation} title=${`Delete ${type} ${name}?`} word="Delete"
        lost=${type === 'Queue' ? 'The queue and all messages that wait in it are lost.' : 'What it says does not hold any more. The history of the configuration keeps it.'}
        act=${() => request('DELETE', `/configuration/${encoded(type)}/${encoded(name)}${type === 'Queue' ? '?DiscardMessages=true' : ''}`)
          .then((answer) => answer.Message)}
        onDone=${(message) => { setDeleting(false); place(type); again(message); }} onClose=${() => setDeleting(false)} />`}`;
}
