import { html, useEffect, useRef, useState } from './ui.js';
import { logIn } from './api.js';
import { Mark } from './shell.js';

/** Asks who it is. `why` says why it asks, where that is not plain. */
export function Login({ why, onDone }) {
  const [byToken, setByToken] = useState(false);
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const first = useRef(null);

  useEffect(() => {
    document.title = 'Log in · Avocet';
    first.current?.focus();
  }, [byToken]);

  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      const who = await logIn(byToken ? { token: token.trim() } : { user, password });
      onDone(who);
    } catch (failure) {
      setPassword('');
      setProblem(failure.message);
      setBusy(false);
      first.current?.focus();
    }
  }

  return html`
    <main class="login">
      <form class="card login-card" onSubmit=${submit} aria-labelledby="login-title">
        <div class="login-head"><${Mark} size="40" /><h1 id="login-title">Avocet</h1></div>
        <p class="muted">Log in to administer this broker.</p>
        ${why && html`<p class="note note-info" role="status">${why}</p>`}
        ${problem && html`<p class="note note-bad" role="alert">${sentence(problem)}</p>`}
        ${byToken
          ? html`<label class="field">Token
              <textarea ref=${first} name="token" rows="4" required autocomplete="off" spellcheck=${false} value=${token}
                onInput=${(event) => setToken(event.target.value)}></textarea></label>`
          : html`
            <label class="field">User name
              <input ref=${first} name="user" required autocomplete="username" autocapitalize="none" spellcheck=${false}
                value=${user} onInput=${(event) => setUser(event.target.value)} /></label>
            <label class="field">Password
              <input name="password" type="password" required autocomplete="current-password"
                value=${password} onInput=${(event) => setPassword(event.target.value)} /></label>`}
        <button class="button primary wide" type="submit" disabled=${busy}>${busy ? 'Logging in …' : 'Log in'}</button>
        <button class="button quiet wide" type="button" onClick=${() => { setByToken(!byToken); setProblem(''); }}>
          ${byToken ? 'Log in with a password' : 'Log in with a token'}</button>
      </form>
    </main>`;
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
