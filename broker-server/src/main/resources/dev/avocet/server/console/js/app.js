// Begins: finds out who it is, and shows the page that the address names.
import { html, render, useEffect, useRef, useState } from './ui.js';
import { health, listen, logOut, tell, whoAmI, Refused } from './api.js';
import { Login } from './login.js';
import { Shell } from './shell.js';
import { ownedBy } from './changeset.js';
import { Dashboard } from './dashboard.js';
import { later, loadAll } from './later.js';
import { PendingCount } from './pending.js';

const ACTING = ['Configure', 'Manage'];
const EXPLORE = 'Explore';
const PAGES = [
  { id: 'dashboard', title: 'Dashboard', icon: 'dashboard', group: '', view: Dashboard },
  { id: 'connections', title: 'Connections', icon: 'connections', group: EXPLORE, view: later(() => import('./explore.js'), 'Connections') },
  { id: 'sessions', title: 'Sessions', icon: 'user', group: EXPLORE, view: later(() => import('./explore.js'), 'Sessions') },
  { id: 'subscriptions', title: 'Subscriptions', icon: 'subscriptions', group: EXPLORE, view: later(() => import('./explore.js'), 'Subscriptions') },
  { id: 'queues', title: 'Queues', icon: 'queues', group: EXPLORE, view: later(() => import('./queue.js'), 'Queues') },
  { id: 'topics', title: 'Topics', icon: 'topics', group: EXPLORE, view: later(() => import('./explore.js'), 'Topics') },
  { id: 'retained', title: 'Retained messages', icon: 'retained', group: EXPLORE, needs: ACTING, view: later(() => import('./explore.js'), 'Retained') },
  { id: 'endpoints', title: 'Endpoints', icon: 'endpoints', group: EXPLORE, view: later(() => import('./explore.js'), 'Endpoints') },
  { id: 'transactions', title: 'Transactions in doubt', icon: 'transactions', group: EXPLORE, view: later(() => import('./transactions.js'), 'Transactions') },
  { id: 'store', title: 'Store', icon: 'store', group: EXPLORE, view: later(() => import('./store.js'), 'Stores') },
  { id: 'try', title: 'Try it', icon: 'send', group: EXPLORE, needs: ACTING, view: later(() => import('./try.js'), 'TryIt') },
  { id: 'configure', title: 'Configuration', icon: 'configure', group: 'Change', needs: ['Configure', 'View'], view: later(() => import('./configure.js'), 'Configure') },
  { id: 'changes', title: 'Change set', icon: 'changes', group: 'Change', needs: ['Configure'], view: later(() => import('./changes.js'), 'Changes'), mark: PendingCount },
  { id: 'history', title: 'History', icon: 'history', group: 'Change', needs: ['Configure', 'View'], view: later(() => import('./versions.js'), 'History') },
  { id: 'files', title: 'Files', icon: 'file', group: 'Change', needs: ['Configure', 'View', 'Manage'], view: later(() => import('./uploads.js'), 'Uploads') },
  { id: 'transfer', title: 'Export, import', icon: 'transfer', group: 'Change', needs: ['Configure'], view: later(() => import('./transfer.js'), 'Transfer') },
  { id: 'setup', title: 'Set up', icon: 'setup', group: 'Change', needs: ['Configure'], view: later(() => import('./setup.js'), 'Setup') },
  { id: 'access', title: 'Explain access', icon: 'key', group: 'Change', needs: ['Configure', 'View'], view: later(() => import('./access.js'), 'Access') },
];
const RETRY_MS = 2000;
const OTHER_PAGES_AFTER_MS = 2000;
const ENDED = 'Your session has ended. Log in again to go on where you were.';

function placeOf(hash) {
  const [id, ...rest] = hash.replace(/^#\/?/, '').split('/');
  return { id: id || 'dashboard', rest: rest.map(decodeURIComponent) };
}

function App() {
  const [who, setWho] = useState(null);
  const [needsLogin, setNeedsLogin] = useState(null);
  const [reachable, setReachable] = useState(true);
  const [broker, setBroker] = useState(null);
  const [place, setPlace] = useState(placeOf(location.hash));

  useEffect(() => {
    const follow = () => setPlace(placeOf(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);

  const known = useRef(false); // whether a user has been here
  const away = useRef(false);

  async function begin() {
    try {
      setWho(await whoAmI());
      known.current = true;
      setNeedsLogin(null);
    } catch (failure) {
      if (failure instanceof Refused) {
        setWho(null);
        setNeedsLogin(failure.status !== 401 ? failure.message : known.current ? ENDED : '');
      } else {
        setTimeout(begin, RETRY_MS);
      }
    }
  }

  useEffect(() => listen((event) => {
    if (event === 'signed-out') {
      setWho(null);
      setNeedsLogin(ENDED);
    }
    if (event !== 'reached' && event !== 'unreachable') {
      return;
    }
    const back = event === 'reached' && away.current;
    away.current = event !== 'reached';
    setReachable(event === 'reached');
    if (back && known.current) {
      begin().then(() => tell('back')); // as a broker that was started again knows no sessions
    }
  }), []);

  useEffect(() => {
    if (reachable || !who) {
      return undefined; // what asks who it is tries again by itself
    }
    const timer = setInterval(() => health().catch(() => {}), RETRY_MS);
    return () => clearInterval(timer);
  }, [reachable, Boolean(who)]);

  useEffect(() => { begin(); }, []);
  useEffect(() => {
    if (who) {
      health().then((now) => setBroker({ version: now.version, name: 'Avocet' }), () => {});
    }
  }, [who]);

  useEffect(() => {
    if (!who) {
      return undefined;
    }
    const timer = setTimeout(loadAll, OTHER_PAGES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [Boolean(who)]);

  async function leave(everywhere) {
    try {
      await logOut(everywhere);
    } finally {
      known.current = false;
      setWho(null);
      setNeedsLogin('You have logged out.');
    }
  }

  if (needsLogin !== null) {
    return html`<${Login} why=${needsLogin} onDone=${(now) => { known.current = true; setWho(now); setNeedsLogin(null); }} />`;
  }
  if (!who) {
    return html`<main class="login"><p class="muted" role="status">
      ${reachable ? 'Asking the broker …' : 'The broker does not answer. This page tries again by itself.'}</p></main>`;
  }
  ownedBy(who.User);
  const may = (right) => who.Authorities.includes(right);
  const pages = PAGES.filter((page) => !page.needs || page.needs.some(may));
  const page = pages.find((each) => each.id === place.id) || pages[0];
  return html`
    <${Shell} pages=${pages} current=${page.id} who=${who} broker=${broker} reachable=${reachable} onLogOut=${leave}>
      <${page.view} key=${page.id} may=${may} rest=${place.id === page.id ? place.rest : []} broker=${broker} />
    </${Shell}>`;
}

render(html`<${App} />`, document.getElementById('app'));
