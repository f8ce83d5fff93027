// The change set: what is collected, as a difference, before it is applied as a whole or not at all.
import { html, useEffect, useReturns, useState } from './ui.js';
import { encoded } from './api.js';
import * as changes from './changeset.js';
import { Confirmation } from './dialog.js';
import { Differences, shown } from './difference.js';

const HIDDEN = '********';

const formOf = ({ type, name }) => `#/configure/${encoded(type)}${changes.isSingle(type) ? '' : `/${encoded(name)}`}`;

/** What is collected, as a difference, where the broker does not tell it. */
function told(entry, isSecret) {
  const word = { create: 'created', update: 'changed', delete: 'deleted' }[entry.action];
  const hide = (property, value) => (isSecret(entry.type, property) && value ? HIDDEN : value);
  return {
    Change: word,
    Type: entry.type,
    Name: changes.isSingle(entry.type) ? '' : entry.name,
    Properties: Object.entries(entry.properties || {}).map(([property, { before, after }]) => (
      { Property: property, Before: hide(property, before), After: hide(property, after) })),
  };
}

function Problems({ problems }) {
  return html`
    <div class="note note-bad" role="alert">
      <p>Nothing is changed. This has to be mended first:</p>
      <ul>${problems.map((problem, index) => {
        const entry = changes.all().find((each) => changes.labelOf(each.type, each.name) === problem.Object
          || (each.type === 'Singletons' && problem.Object === 'Singletons'));
        const where = `${problem.Object}${problem.Object && problem.Property ? ': ' : ''}${problem.Property}`;
        return html`<li key=${index}>${entry && entry.action !== 'delete'
          ? html`<a href=${formOf(entry)}>${where}</a>` : html`<b>${where}</b>`} ${problem.Message}</li>`;
      })}</ul>
    </div>`;
}

function Conflict({ conflict }) {
  const { kind, entry, property, theirs } = conflict;
  const label = changes.labelOf(entry.type, entry.name);
  const [what, drop] = {
    property: [html`<b>${label}: ${property}</b> is ${shown(theirs)} now; you want ${
      entry.secrets?.includes(property) ? 'another password' : shown(entry.properties[property]?.after)}.`,
    () => changes.dropProperty(entry.type, entry.name, property)],
    gone: [html`<b>${label}</b> is deleted. ${entry.action === 'delete' ? 'So there is nothing to delete any more.'
      : 'Your change would make it anew, with what you have changed and defaults for the rest.'}`, () => changes.drop(entry.type, entry.name)],
    there: [html`<b>${label}</b> has been made meanwhile. Your change would change it.`, () => changes.drop(entry.type, entry.name)],
    changed: [html`<b>${label}</b> has been changed. Your change deletes it.`, () => changes.drop(entry.type, entry.name)],
  }[kind];
  const present = changes.find(entry.type, entry.name);
  const isKept = present && (kind !== 'property' || property in present.properties);
  return html`<li class="conflict">
    <span>${what}</span>
    ${isKept ? html`<button type="button" class="button small" onClick=${drop}>Leave mine out</button>`
      : html`<span class="muted">Yours is left out.</span>`}</li>`;
}

/** Others have changed the configuration since: who, what, and where that meets what is collected. */
function Meanwhile({ others, onGoOn }) {
  return html`
    <section class="card form is-short" aria-label="Changed meanwhile">
      <h2>The configuration has been changed meanwhile</h2>
      <p>Your changes are all still here, and nothing of them is applied. They were made for version ${changes.versionOf(changes.baseOf())};
        the configuration is at version ${changes.versionOf(others.tag)} now.</p>
      <ul class="plain-list" aria-label="Changes of others">
        ${others.notes.map((note) => html`
          <li key=${note.ConfigurationVersion}>Version ${note.ConfigurationVersion}, <b>${note.User || (note.ClientAddress ? 'an administrator' : 'the broker')}</b>${
            note.Time && `, ${new Date(note.Time).toLocaleString('en-GB')}`}: ${note.Changes.join('; ') || note.Action}</li>`)}
      </ul>
      ${others.differences
        ? html`<details><summary>What is different</summary><${Differences} differences=${others.differences} label="What others have changed" /></details>`
        : html`<p class="note note-warn">The broker does not keep the version any more that your changes were made for, so it cannot tell what is
            different. Look at each of your changes before you apply them.</p>`}
      ${others.conflicts.length > 0 ? html`
        <p class="note note-warn">Some of it is what you change too:</p>
        <ul class="plain-list" aria-label="Conflicts">${others.conflicts.map((conflict) => html`
          <${Conflict} key=${`${conflict.kind}/${conflict.entry.type}/${conflict.entry.name}/${conflict.property}`} conflict=${conflict} />`)}</ul>`
        : others.differences && html`<p>None of it is what you change.</p>`}
      <div class="form-foot"><span class="spacer"></span>
        <button type="button" class="button primary" onClick=${onGoOn}>Go on with my changes</button></div>
    </section>`;
}

function More({ difference }) {
  const entry = changes.find(difference.Type, difference.Name);
  if (!entry) {
    return null;
  }
  const label = changes.labelOf(entry.type, entry.name);
  return html`
    ${entry.action !== 'delete' && html`<a class="button small" href=${formOf(entry)} aria-label=${`Edit ${label}`}>Edit</a>`}
    <button type="button" class="button small" aria-label=${`Leave out ${label}`}
      onClick=${() => changes.drop(entry.type, entry.name)}>Leave out</button>`;
}

/** Deletions that lose something have to say so. */
function Losses({ entries }) {
  const choices = [['DiscardMessages', ['Queue'], 'with the messages that wait in it'],
    ['DiscardSharers', ['AdminSubscription', 'DurableNamespaceAdminSub', 'NonpersistentAdminSub'], 'also while clients share it']];
  const shownChoices = entries.filter((entry) => entry.action === 'delete')
    .flatMap((entry) => choices.filter(([, types]) => types.includes(entry.type)).map(([option, , text]) => [entry, option, text]));
  return html`${shownChoices.map(([entry, option, text]) => html`
    <label class="check" key=${`${entry.type}/${entry.name}`}>
      <input type="checkbox" checked=${Boolean(entry.options?.[option])}
        onChange=${(event) => changes.put({ ...entry, options: { [option]: event.target.checked } })} />
      Delete ${entry.type} ${entry.name} ${text}</label>`)}`;
}

export function Changes({ may, secrets }) {
  const entries = changes.useChangeSet();
  const [preview, setPreview] = useState(null);
  const [problems, setProblems] = useState([]);
  const [problem, setProblem] = useState('');
  const [others, setOthers] = useState(null);
  const [done, setDone] = useState(null);
  const [busy, setBusy] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const returns = useReturns();
  const isSecret = (type, property) => entries.some((entry) => entry.type === type && entry.secrets?.includes(property));

  async function refused(failure) {
    setPreview(null);
    if (failure.status === 412) {
      try {
        setOthers(await changes.whatOthersDid());
      } catch (other) {
        setProblem(other.message);
      }
    } else if (failure.problems?.length > 0) {
      setProblems(failure.problems);
    } else {
      setProblem(failure.message);
    }
  }

  async function look() {
    setProblems([]);
    setProblem('');
    try {
      setPreview(await changes.check());
    } catch (failure) {
      await refused(failure);
    }
  }

  const state = entries.length === 0 ? '' : JSON.stringify([changes.baseOf(), changes.bodyOf()]);
  useEffect(() => {
    if (state && !others) {
      look();
    }
  }, [state, Boolean(others), returns]);

  async function apply() {
    setBusy(true);
    try {
      setDone(await changes.apply());
    } catch (failure) {
      await refused(failure);
    }
    setBusy(false);
  }

  function goOn() {
    changes.rebase(others.tag);
    setOthers(null);
  }

  return html`
    <h1 class="page-title">Change set</h1>
    ${done && html`
      <div class=${`note note-${done.Problems ? 'warn' : 'good'}`} role="status">
        <p>${done.Message} <a href="#/history">Version ${done.ConfigurationVersion}</a></p>
        ${done.Warnings?.map((warning) => html`<p key=${warning}>${warning}</p>`)}
      </div>`}
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${entries.length === 0 ? html`
      <p class="muted">Nothing is collected. What you change under <a href="#/configure">Configuration</a> comes here first: you see what will be different, and apply all of it at once.</p>` : html`
      ${others && html`<${Meanwhile} others=${others} onGoOn=${goOn} />`}
      ${problems.length > 0 && html`<${Problems} problems=${problems} />`}
      ${preview && html`
        <p class="muted">${preview.Message}</p>
        ${preview.Warnings?.map((warning) => html`<p class="note note-warn" key=${warning}>${warning}</p>`)}
        ${preview.Differences.length === 0 && html`<p class="note note-info">The configuration is like that already.</p>`}`}
      <${Differences} label="What will be different" More=${More}
        differences=${preview && preview.Differences.length > 0 ? preview.Differences : entries.map((entry) => told(entry, isSecret))} />
      <${Losses} entries=${entries} />
      <div class="page-foot">
        <button type="button" class="button danger" onClick=${() => setDiscarding(true)}>Discard all …</button>
        <span class="spacer"></span>
        <a class="button" href=${`#/configure/${encoded(entries[entries.length - 1].type)}`}>Change more</a>
        <button type="button" class="button primary" disabled=${busy || !preview} onClick=${apply}>Apply</button>
      </div>`}
    ${discarding && html`
      <${Confirmation} title="Discard all that is collected?" word="Discard"
        lost=${`${entries.length === 1 ? 'One change is' : `${entries.length} changes are`} lost. The configuration of the broker stays as it is.`}
        act=${async () => { changes.discardAll(); setOthers(null); setProblems([]); setPreview(null); }}
        onDone=${() => setDiscarding(false)} onClose=${() => setDiscarding(false)} />`}`;
}
