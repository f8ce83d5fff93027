// Certificates, keys and other files that objects name. They come in, and their contents never go out.
import { html, useEffect, useRef, useReturns, useState } from './ui.js';
import { encoded, get, request } from './api.js';
import { Confirmation } from './dialog.js';
import { bytes, duration, whole } from './format.js';

const SOON_MS = 30 * 24 * 3600 * 1000;
const MOST_BYTES = 4 << 20;
const KINDS = {
  Certificate: 'Certificate', Key: 'Key', RevocationList: 'List of revoked certificates', PreSharedKeys: 'Pre-shared keys', KeySet: 'Key set', Other: 'Other',
};

/** What is shown of the time at which a certificate or a list runs out. */
export function Expiry({ at, isList }) {
  if (!at) {
    return html`<span class="muted">–</span>`;
  }
  const left = Date.parse(at) - Date.now();
  const tone = left < 0 ? 'bad' : left < SOON_MS ? 'warn' : 'good';
  const word = left < 0 ? (isList ? 'overdue since' : 'expired') : isList ? 'next one due' : 'good until';
  return html`<span class=${`state state-${tone}`}>${word} ${new Date(at).toLocaleDateString('en-GB')}${
    left > 0 && left < SOON_MS ? `, in ${duration(left)}` : ''}</span>`;
}

function whatItIs(file) {
  if (file.Problem) {
    return `${KINDS[file.Kind] || file.Kind} that ${file.Problem}`;
  }
  const count = { Certificate: file.Count > 1 ? `${file.Count} certificates` : '', RevocationList: `${whole(file.Count || 0)} revoked`,
    PreSharedKeys: `${whole(file.Count || 0)} identities` }[file.Kind];
  return [KINDS[file.Kind] || file.Kind, count].filter(Boolean).join(', ');
}

async function upload(name, file) {
  if (file.size > MOST_BYTES) {
    throw new Error(`${file.name} has ${bytes(file.size)}; a file has ${bytes(MOST_BYTES)} at most.`);
  }
  if (file.size === 0) {
    throw new Error(`${file.name} is empty.`);
  }
  return request('PUT', `/file/${encoded(name)}`, { bytes: file });
}

function Upload({ files, onDone }) {
  const [file, setFile] = useState(null);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const input = useRef(null);
  const present = files[name];

  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      const answer = await upload(name, file);
      setFile(null);
      setName('');
      input.current.value = '';
      onDone(answer);
    } catch (failure) {
      setProblem(failure.message);
    }
    setBusy(false);
  }

  return html`
    <form class="card form is-short" onSubmit=${submit} aria-label="Upload a file">
      <h2>Upload a file</h2>
      <p class="muted">A certificate with those above it, a key, a certificate to trust or a list of revoked ones in PEM, pre-shared keys, a key set. Objects name
        it as it is called here. Its contents are never shown or sent out again.</p>
      <div class="filters">
        <label class="filter"><span>File</span><input ref=${input} class="input" type="file" required onChange=${(event) => {
          const chosen = event.target.files[0] || null;
          setFile(chosen);
          setName(chosen ? chosen.name.replace(/[^A-Za-z0-9_.@+-]/g, '_') : '');
        }} /></label>
        <label class="filter"><span>Name</span><input class="input" required autocomplete="off" spellcheck=${false} value=${name}
          onInput=${(event) => setName(event.target.value)} /></label>
      </div>
      ${present && html`<p class="note note-warn">It takes the place of the file that is there${
        present.UsedBy.length > 0 ? `, which ${present.UsedBy.join(', ')} ${present.UsedBy.length === 1 ? 'uses' : 'use'}` : ''}.</p>`}
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      <div class="form-foot"><span class="spacer"></span>
        <button type="submit" class="button primary" disabled=${busy || !file || !name}>${present ? 'Replace' : 'Upload'}</button></div>
    </form>`;
}

function FileRow({ name, file, mayChange, onDelete }) {
  return html`
    <tr>
      <td data-title="Name" class="mono">${name}</td>
      <td data-title="What it is">${whatItIs(file)}${file.Subject && html`<br /><span class="small muted">${file.Subject}</span>`}${
        file.Issuer && file.Issuer !== file.Subject && html`<br /><span class="small muted">by ${file.Issuer}</span>`}</td>
      <td data-title="Runs out"><${Expiry} at=${file.ExpirationDate} isList=${file.Kind === 'RevocationList'} /></td>
      <td data-title="Uploaded">${new Date(file.Modified).toLocaleString('en-GB')}, ${bytes(file.SizeBytes)}</td>
      <td data-title="Used by">${file.UsedBy.length > 0 ? file.UsedBy.join(', ') : html`<span class="muted">nothing</span>`}</td>
      ${mayChange && html`<td data-title=""><button type="button" class="button small danger" aria-label=${`Delete ${name}`} disabled=${file.UsedBy.length > 0}
        title=${file.UsedBy.length > 0 ? 'Objects use it; change them first' : ''} onClick=${onDelete}>Delete …</button></td>`}
    </tr>`;
}

export function Uploads({ may }) {
  const [files, setFiles] = useState(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState(null);
  const [asked, setAsked] = useState(0);
  const [deleting, setDeleting] = useState(null);
  const returns = useReturns();
  const mayChange = may('Configure') || may('Manage');

  useEffect(() => {
    get('/file').then((answer) => { setFiles(answer.File); setProblem(''); }, (failure) => setProblem(failure.message));
  }, [asked, returns]);

  function done(answer) {
    setSaid(answer);
    setAsked(asked + 1);
  }

  return html`
    <div class="section-head"><h1 class="page-title">Certificates and files</h1>
      <button type="button" class="button small" onClick=${() => done(null)}>Refresh</button></div>
    ${said && html`<div class=${`note note-${said.Warnings ? 'warn' : 'good'}`} role="status"><p>${said.Message}</p>
      ${said.Warnings?.map((warning) => html`<p key=${warning}>${warning}</p>`)}</div>`}
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${!files ? !problem && html`<p class="muted" role="status">Asking the broker …</p>` : html`
      <div class="card table-card is-plain"><table>
        <thead><tr><th scope="col">Name</th><th scope="col">What it is</th><th scope="col">Runs out</th><th scope="col">Uploaded</th><th scope="col">Used by</th>
          ${mayChange && html`<th scope="col"><span class="hidden">What to do</span></th>`}</tr></thead>
        <tbody>${Object.entries(files).map(([name, file]) => html`
          <${FileRow} key=${name} name=${name} file=${file} mayChange=${mayChange} onDelete=${() => setDeleting(name)} />`)}</tbody></table>
        ${Object.keys(files).length === 0 && html`<p class="empty muted">No file is uploaded.</p>`}
      </div>
      ${mayChange && html`<${Upload} files=${files} onDone=${done} />`}`}
    ${deleting && html`
      <${Confirmation} title=${`Delete the file ${deleting}?`} word="Delete"
        lost="It is lost; the broker gives no copy of it. No object uses it."
        act=${() => request('DELETE', `/file/${encoded(deleting)}`)}
        onDone=${(answer) => { setDeleting(null); done(answer); }} onClose=${() => setDeleting(null)} />`}`;
}
