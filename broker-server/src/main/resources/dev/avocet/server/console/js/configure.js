// The objects of the configuration, by forms that the broker's own description of them makes. What is changed here is collected
// in the change set.
import { classes, html, useEffect, useRef, useReturns, useState } from './ui.js';
import { encoded, get } from './api.js';
import * as changes from './changeset.js';
import { isSingle } from './changeset.js';
import { Field, plain } from './fields.js';

const MOST_SHOWN = 200;

async function readAll() {
  const [description, { json, headers }, uploaded] = await Promise.all([
    get('/openapi.json'), get('/configuration', { whole: true }), get('/file').catch(() => ({ File: {} }))]);
  const { Refusal, ...schemas } = description.components.schemas;
  return { schemas, objects: json, tag: headers.get('ETag'), files: Object.keys(uploaded.File) };
}

/** The values of an object that hold now; of a new one, none. */
function valuesOf({ schemas, objects }, type, name) {
  if (type === 'Singletons') {
    return Object.fromEntries(Object.keys(schemas[type].properties).filter((each) => each in objects).map((each) => [each, objects[each]]));
  }
  return (isSingle(type) ? objects[type] : objects[type]?.[name]) || {};
}

/** Names of objects as they will be: with those that are to be made, without those that are to be deleted. */
function namesOf(all, type) {
  const collected = changes.all().filter((entry) => entry.type === type);
  const made = collected.filter((entry) => entry.action === 'create').map((entry) => entry.name);
  const present = Object.keys(all.objects[type] || {}).filter((name) => !collected.some((entry) => entry.action === 'delete' && entry.name === name));
  return [...new Set([...present, ...made])];
}

const sameValue = (one, other) => String(one ?? '') === String(other ?? '');

function Form({ all, type, name, mayChange, collecting, onCollecting, onCollected, onDelete }) {
  const schema = all.schemas[type];
  const isNew = !isSingle(type) && name === undefined;
  const before = isNew ? {} : valuesOf(all, type, name);
  const collected = isNew ? undefined : changes.find(type, name);
  const isOfNew = isNew || collected?.action === 'create';
  const key = isSingle(type) ? '' : Object.keys(schema.properties)[0];
  const [written, setWritten] = useState(() => Object.fromEntries(
    Object.entries(collected?.properties || {}).map(([each, { after }]) => [each, after])));
  const [newName, setNewName] = useState('');
  const [problems, setProblems] = useState([]);
  const [problem, setProblem] = useState('');
  const isShown = useRef(true);
  useEffect(() => () => { isShown.current = false; onCollecting(false); }, []);
  const names = (of) => namesOf(all, of);
  const properties = Object.entries(schema.properties).filter(([each, property]) => each !== key && (mayChange ? !property.readOnly : true));
  const isSecret = (each) => Boolean(schema.properties[each]?.writeOnly);
  const differs = (each) => each in written && (isSecret(each) ? written[each] !== before[each] : !sameValue(written[each], before[each]));

  /** The entry of the change set that the form stands for now; undefined when nothing is different. */
  function entry() {
    const different = Object.keys(written).filter((each) => differs(each) && !(isOfNew && written[each] === ''));
    if (different.length === 0 && !isOfNew) {
      return undefined;
    }
    return {
      action: isOfNew ? 'create' : 'update',
      type,
      name: isSingle(type) ? '' : isNew ? newName : name,
      secrets: different.filter(isSecret),
      properties: Object.fromEntries(different.map((each) => [each,
        { before: before[each], after: written[each] === '' ? null : plain(schema.properties[each], written[each]) }])),
    };
  }

  async function collect(thenTo) {
    onCollecting(true);
    setProblem('');
    setProblems([]);
    const wanted = entry();
    try {
      if (!wanted) {
        changes.drop(type, name);
      } else if (isNew && (namesOf(all, type).includes(newName) || changes.find(type, newName))) {
        throw new Error(`${type} '${newName}' is there already, or is to be deleted; give another name.`);
      } else {
        const { own } = await changes.problemsWith(wanted);
        if (!isShown.current) { // the user has gone elsewhere, and stays there; the review says what is wrong
          changes.put(wanted, all.tag);
          return;
        }
        if (own.length > 0) {
          const known = own.filter((each) => each.Property in schema.properties);
          setProblems(known);
          setProblem(known.length === own.length ? 'Nothing is collected. See what is wrong below.'
            : own.filter((each) => !known.includes(each)).map((each) => each.Message).join('; '));
          return;
        }
        changes.put(wanted, all.tag);
      }
      onCollected(wanted, thenTo);
    } catch (failure) {
      setProblem(failure.message);
    } finally {
      if (isShown.current) {
        onCollecting(false);
      }
    }
  }

  return html`
    <form class="card form" noValidate aria-labelledby="form-title" onSubmit=${(event) => { event.preventDefault(); collect('changes'); }}>
      <h2 id="form-title">${isSingle(type) ? type : isNew ? `New ${type}` : `${type} ${name}`}</h2>
      <p class="muted">${schema.description}</p>
      ${collected && html`<p class="note note-info">${collected.action === 'create' ? 'It is not made yet; it is in the change set.'
        : 'The marked values are in the change set, and not applied yet.'}</p>`}
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      ${isNew && html`<${Field} id="f-key" name=${key} property=${schema.properties[key]} value=${newName} names=${names} files=${all.files} required
        problem=${problems.find((found) => found.Property === key)?.Message} onChange=${setNewName} />`}
      ${properties.map(([each, property]) => html`
        <${Field} key=${each} id=${`f-${each}`} name=${each} property=${property} names=${names} files=${all.files}
          value=${each in written ? written[each] : before[each]} disabled=${!mayChange} isChanged=${differs(each)}
          required=${(schema.required || []).includes(each)}
          problem=${problems.find((found) => found.Property === each)?.Message}
          onChange=${(value) => setWritten((now) => ({ ...now, [each]: value }))} />`)}
      ${mayChange && html`
        <div class="form-foot">
          ${collected ? html`<button type="button" class="button" onClick=${() => { changes.drop(type, name); onCollected(undefined, ''); }}>Leave out</button>`
            : !isNew && !isSingle(type) && html`<button type="button" class="button danger" onClick=${onDelete}>Delete …</button>`}
          <span class="spacer"></span>
          <button type="button" class="button" disabled=${collecting || (isNew ? !newName : !entry())} onClick=${() => collect('')}>Collect</button>
          <button type="submit" class="button primary" disabled=${collecting || (isNew ? !newName : !entry())}>Review …</button>
        </div>`}
    </form>`;
}

/** What is to be deleted has no form. */
function ToBeDeleted({ type, name, onLeftOut }) {
  return html`
    <section class="card form is-short">
      <h2>${type} ${name}</h2>
      <p class="note note-warn">It is to be deleted, which is in the change set and not applied yet.</p>
      <div class="form-foot">
        <button type="button" class="button" onClick=${() => { changes.drop(type, name); onLeftOut(); }}>Leave out</button>
        <span class="spacer"></span><a class="button primary" href="#/changes">To the change set</a></div>
    </section>`;
}

function place(type, name) {
  location.hash = name === undefined ? `#/configure/${encoded(type)}` : `#/configure/${encoded(type)}/${encoded(name)}`;
}

const MARKS = { create: 'new', update: 'changed', delete: 'to be deleted' };

function Objects({ all, type, chosen, mayChange, collecting, onNew, onKind }) {
  const [search, setSearch] = useState('');
  const collected = changes.all().filter((entry) => entry.type === type);
  const names = isSingle(type) ? [] : [...new Set([...Object.keys(all.objects[type] || {}), ...collected.map((entry) => entry.name)])]
    .filter((each) => each.toLowerCase().includes(search.toLowerCase()));
  return html`
    <div class="card objects">
      <label class="filter"><span>Kind</span>
        <select class="input" value=${type} onChange=${(event) => { onKind(); place(event.target.value); }}>
          ${Object.keys(all.schemas).map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select></label>
      ${!isSingle(type) && html`
        <label class="filter"><span>Name</span>
          <input class="input" type="search" placeholder="any" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label>
        <ul aria-label=${`Objects of the kind ${type}`}>
          ${names.slice(0, MOST_SHOWN).map((each) => {
            const entry = collected.find((one) => one.name === each);
            return html`<li key=${each}><a href=${`#/configure/${encoded(type)}/${encoded(each)}`}
              class=${classes('side-link', each === chosen && 'is-current')} aria-current=${each === chosen ? 'true' : undefined}>${each}
              ${entry && html`<span class="badge">${MARKS[entry.action]}</span>`}</a></li>`;
          })}</ul>
        ${names.length > MOST_SHOWN && html`<p class="small muted">${`${names.length - MOST_SHOWN} more; give a part of the name.`}</p>`}
        ${names.length === 0 && html`<p class="small muted">There is none.</p>`}
        ${mayChange && html`<button type="button" class="button wide" disabled=${collecting} onClick=${onNew}>New ${type}</button>`}`}
    </div>`;
}

function Collected({ entries }) {
  return entries.length === 0 ? null : html`
    <p class="note note-info collected" role="status"><span>${entries.length === 1 ? 'One change is' : `${entries.length} changes are`} collected and not applied yet.</span>
      <a class="button small" href="#/changes">To the change set</a></p>`;
}

export function Configure({ may, rest }) {
  const entries = changes.useChangeSet();
  const [all, setAll] = useState(null);
  const [problem, setProblem] = useState('');
  const [asked, setAsked] = useState(0);
  const [making, setMaking] = useState(false);
  const [collecting, setCollecting] = useState(false);
  const returns = useReturns();
  const mayChange = may('Configure');
  const type = all?.schemas[rest[0]] ? rest[0] : 'Endpoint';
  const name = rest[1];

  useEffect(() => {
    readAll().then((read) => { setAll(read); setProblem(''); }, (failure) => setProblem(failure.message));
  }, [asked, returns]);
  useEffect(() => setMaking(false), [rest[0], rest[1]]);

  if (!all) {
    return html`<h1 class="page-title">Configuration</h1>
      ${problem ? html`<p class="note note-bad" role="alert">${problem}</p>` : html`<p class="muted" role="status">Asking the broker …</p>`}`;
  }
  const collected = isSingle(type) ? undefined : changes.find(type, name);
  const isThere = isSingle(type) || (name !== undefined && (all.objects[type]?.[name] || collected));

  function remove() {
    changes.put({ action: 'delete', type, name, properties: {}, options: {} }, all.tag);
    location.hash = '#/changes';
  }

  function onCollected(entry, thenTo) {
    setMaking(false);
    setAsked(asked + 1);
    if (thenTo) {
      location.hash = `#/${thenTo}`;
    } else if (entry && !isSingle(type)) {
      place(type, entry.name);
    } else if (!entry && !isSingle(type) && !all.objects[type]?.[name]) {
      place(type);
    }
  }

  let content;
  if (making || (isThere && collected?.action !== 'delete')) {
    content = html`<${Form} key=${`${type}/${making ? '' : name}/${all.tag}/${asked}`} all=${all} type=${type} name=${making ? undefined : name}
      mayChange=${mayChange} onDelete=${remove} collecting=${collecting} onCollecting=${setCollecting} onCollected=${onCollected} />`;
  } else if (isThere) {
    content = html`<${ToBeDeleted} type=${type} name=${name} onLeftOut=${() => setAsked(asked + 1)} />`;
  } else {
    content = html`<p class="muted">${all.schemas[type].description} Choose one, or make a new one.</p>`;
  }
  return html`
    <div class="section-head"><h1 class="page-title">Configuration</h1>
      <button type="button" class="button small" onClick=${() => setAsked(asked + 1)}>Refresh</button></div>
    ${!mayChange && html`<p class="muted">You may look at the configuration, and not change it.</p>`}
    <${Collected} entries=${entries} />
    <div class="configure">
      <${Objects} all=${all} type=${type} chosen=${name} mayChange=${mayChange} collecting=${collecting} onKind=${() => setMaking(false)} onNew=${() => setMaking(true)} />
      <div class="configured">${content}</div>
    </div>`;
}
