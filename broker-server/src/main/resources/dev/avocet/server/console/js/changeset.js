// Changes that are collected and not applied yet: in the memory of this page alone, as passwords are among them.
import { useEffect, useState } from './ui.js';
import { get, request } from './api.js';

export const SINGLE = ['Singletons', 'LDAP', 'HighAvailability', 'AdminEndpoint'];
export const isSingle = (type) => SINGLE.includes(type);

/** As the broker calls an object where it tells what is wrong with it. */
export const labelOf = (type, name) => (isSingle(type) || !name ? type : `${type} '${name}'`);
const idOf = (type, name) => `${type}\n${isSingle(type) ? '' : name}`;

let owner = null;
let base = null; // the entity tag of the version that the changes were thought out for
let entries = new Map();
const listeners = new Set();

function tell() {
  listeners.forEach((listener) => listener());
}

window.addEventListener('beforeunload', (event) => {
  if (entries.size > 0) {
    event.preventDefault();
  }
});

/** Another user finds nothing of what this one has collected. */
export function ownedBy(user) {
  if (owner !== null && owner !== user) {
    discardAll();
  }
  owner = user;
}

export const baseOf = () => base;
export const versionOf = (tag) => Number(String(tag || '').replace(/"/g, ''));
export const all = () => [...entries.values()];
export const find = (type, name) => entries.get(idOf(type, name));

/** Shows the page again whenever something is collected, or is not any more. */
export function useChangeSet() {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const listener = () => setTurn((turn) => turn + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return all();
}

/**
 * Collects a change in place of an earlier one to the same object.
 * entry: action ('create', 'update' or 'delete'), type, name, properties ({ NAME: { before, after } }), options of a deletion
 */
export function put(entry, tag) {
  base = entries.size === 0 ? tag : base ?? tag;
  entries.set(idOf(entry.type, entry.name), entry);
  tell();
}

export function drop(type, name) {
  entries.delete(idOf(type, name));
  tell();
}

export function dropProperty(type, name, property) {
  const entry = find(type, name);
  if (entry) {
    const { [property]: gone, ...properties } = entry.properties;
    if (entry.action === 'update' && Object.keys(properties).length === 0) {
      entries.delete(idOf(type, name));
    } else {
      entries.set(idOf(type, name), { ...entry, properties });
    }
    tell();
  }
}

export function discardAll() {
  entries = new Map();
  base = null;
  tell();
}

/** The changes are meant for this version from now on. */
export function rebase(tag) {
  base = tag;
  tell();
}

/** In the form in which the broker takes changes; `more` is an entry that is not collected yet. */
export function bodyOf(more) {
  const wanted = new Map(entries);
  if (more) {
    wanted.set(idOf(more.type, more.name), more);
  }
  const Changes = {};
  const Deletions = [];
  wanted.forEach(({ action, type, name, properties, options }) => {
    if (action === 'delete') {
      Deletions.push({ Type: type, Name: name, ...options });
      return;
    }
    const values = Object.fromEntries(Object.entries(properties).map(([each, { after }]) => [each, after]));
    if (type === 'Singletons') {
      Object.assign(Changes, values);
    } else if (isSingle(type)) {
      Changes[type] = { ...Changes[type], ...values };
    } else {
      (Changes[type] ||= {})[name] = values;
    }
  });
  return { Changes, Deletions };
}

/** What the broker says to an entry together with what is collected: what is wrong with it, and with others. */
export async function problemsWith(entry) {
  try {
    await request('POST', '/configuration/check', { body: bodyOf(entry) });
    return { own: [], others: [] };
  } catch (failure) {
    if (!failure.problems || failure.problems.length === 0) {
      throw failure;
    }
    const label = labelOf(entry.type, entry.name);
    const own = failure.problems.filter((problem) => problem.Object === label);
    return { own, others: failure.problems.filter((problem) => problem.Object !== label) };
  }
}

export const check = () => request('POST', '/configuration/check', { body: bodyOf(), headers: base ? { 'If-Match': base } : {} });

/** Applies all of it or nothing. */
export async function apply() {
  const answer = await request('POST', '/configuration/changes', { body: bodyOf(), headers: base ? { 'If-Match': base } : {} });
  discardAll();
  return answer;
}

/** What others have changed since: the versions and who made them, the differences, and those that concern what is collected. */
export async function whatOthersDid() {
  const since = versionOf(base);
  const { json, headers } = await get('/configuration/versions', { whole: true });
  const tag = headers.get('ETag');
  const notes = json.History.filter((note) => note.ConfigurationVersion > since);
  try {
    const diff = await get(`/configuration/versions/${since}/diff?To=${json.ConfigurationVersion}`);
    return { tag, notes, differences: diff.Differences, conflicts: conflictsWith(diff.Differences) };
  } catch (failure) {
    if (failure.status !== 404) {
      throw failure;
    }
    return { tag, notes, differences: null, conflicts: [] };
  }
}

/** Properties that others have changed too, and objects that are there no more or already. */
function conflictsWith(differences) {
  const found = [];
  differences.forEach(({ Change, Type, Name, Properties }) => {
    const entry = find(Type, Name);
    if (!entry) {
      return;
    }
    if (Change === 'deleted') {
      found.push({ kind: 'gone', entry });
    } else if (Change === 'created' && entry.action === 'create') {
      found.push({ kind: 'there', entry });
    } else if (entry.action === 'delete') {
      found.push({ kind: 'changed', entry });
    } else {
      Properties.filter(({ Property }) => Property in entry.properties)
        .forEach(({ Property, After }) => found.push({ kind: 'property', entry, property: Property, theirs: After }));
    }
  });
  return found;
}
