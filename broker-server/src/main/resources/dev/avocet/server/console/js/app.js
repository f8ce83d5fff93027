// Begins: finds out who it is, and shows the page that the address names.
import { html, render, useEffect, useRef, useState } from './ui.js';
import { health, listen, logOut, tell, whoAmI, Refused } from './api.js';
import { Login } from './login.js';
import { Shell } from './shell.js';
import { Access } from './access.js';
import { Changes, PendingCount } from './changes.js';
import { ownedBy } from './changeset.js';
import { Configure } from './configure.js';
import { Dashboard } from './dashboard.js';
import { Connections, Endpoints, Retained, Sessions, Subscriptions, Topics } from './explore.js';
import { Queues } from './queue.js';
import { Stores } from './store.js';
import { Transactions } from './transactions.js';
import { Setup } from './setup.js';
import { Transfer } from './transfer.js';
import { TryIt } from './try.js';
import { Uploads } from './uploads.js';
import { History } from './versions.js';

const ACTING = ['Configure', 'Manage'];
const EXPLORE = 'Explore';
const PAGES = [
  { id: 'dashboard', title: 'Dashboard', icon: 'dashboard', group: '', view: Dashboard },
  { id: 'connections', title: 'Connections', icon: 'connections', group: EXPLORE, view: Connections },
  { id: 'sessions', title: 'Sessions', icon: 'user', group: EXPLORE, view: Sessions },
  { id: 'subscriptions', title: 'Subscriptions', icon: 'subscriptions', group: EXPLORE, view: Subscriptions },
  { id: 'queues', title: 'Queues', icon: 'queues', group: EXPLORE, view: Queues },
  { id: 'topics', title: 'Topics', icon: 'topics', group: EXPLORE, view: Topics },
  { id: 'retained', title: 'Retained messages', icon: 'retained', group: EXPLORE, needs: ACTING, view: Retained },
  { id: 'endpoints', title: 'Endpoints', icon: 'endpoints', group: EXPLORE, view: Endpoints },
  { id: 'transactions', title: 'Transactions in doubt', icon: 'transactions', group: EXPLORE, view: Transactions },
  { id: 'store', title: 'Store', icon: 'store', group: EXPLORE, view: Stores },
  { id: 'try', title: 'Try it', icon: 'send', group: EXPLORE, needs: ACTING, view: TryIt },
  { id: 'configure', title: 'Configuration', icon: 'configure', group: 'Change', needs: ['Configure', 'View'], view: Configure },
  { id: 'changes', title: 'Change set', icon: 'changes', group: 'Change', needs: ['Configure'], view: Changes, mark: PendingCount },
  { id: 'history', title: 'History', icon: 'history', group: 'Change', needs: ['Configure', 'View'], view: History },
  { id: 'files', title: 'Files', icon: 'file', group: 'Change', needs: ['Configure', 'View', 'Manage'], view: Uploads },
  { id: 'transfer', title: 'Export, import', icon: 'transfer', group: 'Change', needs: ['Configure'], view: Transfer },
  { id: 'setup', title: 'Set up', icon: 'setup', group: 'Change', needs: ['Configure'], view: Setup },
  { id: 'access', title: 'Explain access', icon: 'key', group: 'Change', needs: ['Configure', 'View'], view: Access },
];
const RETRY_MS = 2000;
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
