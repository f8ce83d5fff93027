// The first configuration, as broker-admin init makes it of a broker that does not run.
import { html, useEffect, useReturns, useState } from './ui.js';
import { get, request } from './api.js';
import { Differences } from './difference.js';

const EMPTY = {
  Address: 'All', Port: '8883', certificate: 'made', HostName: location.hostname, Certificate: '', Key: '',
  AdminPassword: '', again: '', User: 'user', UserPassword: '', Queues: '',
};

function Field({ label, name, form, problems, onChange, type = 'text', about, list }) {
  const problem = problems.find((each) => each.Property === name)?.Message;
  return html`
    <div class=${`form-row${problem ? ' has-problem' : ''}`}>
      <label for=${`s-${name}`}>${label}</label>
      <div>${list
        ? html`<select id=${`s-${name}`} class="input" value=${form[name]} onChange=${(event) => onChange(name, event.target.value)}>
            ${list.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select>`
        : html`<input id=${`s-${name}`} class="input" type=${type} autocomplete=${type === 'password' ? 'new-password' : 'off'} autocapitalize="none"
            spellcheck=${false} aria-invalid=${problem ? 'true' : undefined} aria-describedby=${`s-${name}-about`} value=${form[name]}
            onInput=${(event) => onChange(name, event.target.value)} />`}
        ${problem && html`<p class="field-problem" role="alert">${problem}</p>`}</div>
      <p class="small muted" id=${`s-${name}-about`}>${about}</p>
    </div>`;
}

function bodyOf(form) {
  const port = form.Port.trim();
  return {
    Address: form.Address.trim(), Port: /^\d{1,9}$/.test(port) ? Number(port) : port, AdminPassword: form.AdminPassword, User: form.User.trim(),
    UserPassword: form.UserPassword, Queues: form.Queues.split(',').map((each) => each.trim()).filter(Boolean),
    ...(form.certificate === 'made' ? { HostName: form.HostName.trim() } : { Certificate: form.Certificate, Key: form.Key }),
  };
}

export function Setup() {
  const [form, setForm] = useState(EMPTY);
  const [files, setFiles] = useState({});
  const [configured, setConfigured] = useState(false);
  const [preview, setPreview] = useState(null);
  const [problems, setProblems] = useState([]);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const returns = useReturns();

  useEffect(() => {
    get('/file').then((answer) => setFiles(answer.File), () => {});
    get('/service/setup').then((answer) => setConfigured(answer.Configured), () => {});
  }, [returns]);

  const change = (name, value) => { setPreview(null); setForm((now) => ({ ...now, [name]: value })); };
  const filesOf = (kind) => [['', 'choose'], ...Object.entries(files).filter(([, file]) => file.Kind === kind).map(([name]) => [name, name])];

  async function ask(path, headers) {
    setBusy(true);
    setProblem('');
    setProblems([]);
    try {
      if (form.AdminPassword !== form.again) {
        setProblems([{ Property: 'again', Message: 'The two passwords differ.' }]);
        return null;
      }
      return await request('POST', path, { body: bodyOf(form), whole: true, headers });
    } catch (failure) {
      setPreview(null);
      const known = (failure.problems || []).filter((each) => each.Object === 'Setup');
      setProblems(known);
      setProblem(failure.status === 412 ? 'Another administrator has changed the configuration meanwhile. Look at the preview again.'
        : known.length > 0 ? 'Nothing is changed. See what is wrong below.' : failure.message);
      return null;
    } finally {
      setBusy(false);
    }
  }

  async function look(event) {
    event.preventDefault();
    const answer = await ask('/service/setup/check', {});
    if (answer) {
      setPreview({ ...answer.json, tag: answer.headers.get('ETag') });
    }
  }

  async function go() {
    const answer = await ask('/service/setup', { 'If-Match': preview.tag });
    if (answer) {
      setPreview(null);
      setForm(EMPTY);
      setSaid(answer.json.Message);
    }
  }

  const field = (name, label, about, more = {}) => html`
    <${Field} label=${label} name=${name} form=${form} problems=${problems} onChange=${change} about=${about} ...${more} />`;
  return html`
    <h1 class="page-title">Set up</h1>
    <p class="muted">An endpoint with TLS and passwords for MQTT and JMS, a first user, queues, and a password for the administration. Each user may publish and subscribe
      below a topic of its own name, and every user below "common". The samples are disabled.</p>
    ${configured && !said && html`<p class="note note-warn">This broker has been configured already. The setup adds to that; the preview shows what it would change.</p>`}
    ${said && html`<div class="note note-good" role="status"><p>${said}</p><p>The next thing that you do here asks for the name admin and the password
      that you have just set. <a href="#/">To the dashboard</a></p></div>`}
    ${!said && html`
      <form class="card form" onSubmit=${look} noValidate aria-label="First configuration">
        ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
        ${field('Address', 'Address', 'Where clients connect: an IP address of this machine, or All of them.')}
        ${field('Port', 'Port', 'For MQTT and JMS clients alike. 8883 is the usual one with TLS.')}
        ${field('certificate', 'Certificate', 'One that signs itself does for a start: clients have to be told to trust it. Upload another under Files.',
          { list: [['made', 'made by the broker, signed by itself'], ['uploaded', 'uploaded files']] })}
        ${form.certificate === 'made'
          ? field('HostName', 'Host name', 'The name or IP address under which clients reach the broker.')
          : html`${field('Certificate', 'Certificate file', 'An uploaded certificate, with those above it.', { list: filesOf('Certificate') })}
              ${field('Key', 'Key file', 'The key of that certificate.', { list: filesOf('Key') })}`}
        ${field('AdminPassword', 'Password of the administrator', 'Of the user admin, who may do everything here. At least 8 characters.', { type: 'password' })}
        ${field('again', 'The same again', '', { type: 'password' })}
        ${field('User', 'First user', 'With whose name and password clients connect.')}
        ${field('UserPassword', 'Password of that user', 'At least 8 characters.', { type: 'password' })}
        ${field('Queues', 'Queues', 'For JMS clients, with commas between. Every user may send to them and receive from them.')}
        ${preview && html`
          <h2>What will be different</h2>
          ${preview.Warnings?.map((line) => html`<p key=${line}>${line}</p>`)}
          <${Differences} differences=${preview.Differences} label="What will be different" />`}
        <div class="form-foot"><span class="spacer"></span>
          <button type="submit" class=${preview ? 'button' : 'button primary'} disabled=${busy}>Preview</button>
          ${preview && html`<button type="button" class="button primary" disabled=${busy} onClick=${go}>Apply</button>`}</div>
      </form>`}`;
}
