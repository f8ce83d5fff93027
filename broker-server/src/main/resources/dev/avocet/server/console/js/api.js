// Requests to the broker. The header says that a script of the console asks; without it no session is good.
const HEADER = 'X-Avocet-Console';
const HEALTH_MS = 5000;
const LONGEST_MS = 60000;
const LONGEST_UPLOAD_MS = 600000;

/** The broker has answered that it does not do it. */
export class Refused extends Error {
  constructor(status, answer) {
    super(answer.Message || `the broker answered with status ${status}`);
    this.status = status;
    this.code = answer.Code || '';
    this.problems = answer.Problems || [];
  }
}

/** The broker has not answered. */
export class Unreachable extends Error {
  constructor() {
    super('The broker does not answer.');
  }
}

const listeners = new Set();

/** Hears 'signed-out', 'unreachable', 'reached', and 'back' when it is reached again. Returns what ends that. */
export function listen(listener) {
  listeners.add(listener);
  return () => { listeners.delete(listener); };
}

export function tell(event) {
  listeners.forEach((listener) => listener(event));
}

export function url(path) {
  return new URL(path.replace(/^\//, ''), document.baseURI).href;
}

/** Opens an answer whatever its status; throws Unreachable, also when none comes in time: a host that is gone refuses nothing. */
export async function open(method, path, { body, bytes, headers = {}, background = false,
  signal = AbortSignal.timeout(bytes ? LONGEST_UPLOAD_MS : LONGEST_MS) } = {}) {
  let answer;
  try {
    answer = await fetch(url(path), {
      method,
      body: body === undefined ? bytes : JSON.stringify(body),
      headers: {
        [HEADER]: background ? 'background' : 'user',
        ...(body === undefined ? (bytes && { 'Content-Type': 'application/octet-stream' }) : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal,
    });
  } catch (failure) {
    if (failure.name === 'AbortError') {
      throw failure;
    }
    tell('unreachable');
    throw new Unreachable();
  }
  tell('reached');
  return answer;
}

/** Asks and returns the answer's JSON; throws Refused or Unreachable. */
export async function request(method, path, options = {}) {
  const answer = await open(method, `/api/v1${path}`, options);
  const text = await answer.text();
  let json = {};
  try {
    json = text ? JSON.parse(text) : {};
  } catch {
    json = { Message: 'the answer is not JSON; something between this browser and the broker has answered' };
  }
  if (answer.ok) {
    return options.whole ? { json, headers: answer.headers } : json;
  }
  if (answer.status === 401 && !options.login) {
    tell('signed-out');
  }
  throw new Refused(answer.status, json);
}

export const get = (path, options) => request('GET', path, options);

/** A name as a part of a path or a query. */
export const encoded = (name) => encodeURIComponent(name);

/** How the broker is, which it tells everyone. */
export async function health() {
  const answer = await open('GET', '/health', { background: true, signal: AbortSignal.timeout(HEALTH_MS) });
  return answer.json();
}

function base64(text) {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

export const whoAmI = () => request('GET', '/service/session', { login: true });

export function logIn({ user, password, token }) {
  const authorization = token ? `Bearer ${token}` : `Basic ${base64(`${user}:${password}`)}`;
  return request('POST', '/service/session', { login: true, headers: { Authorization: authorization } });
}

export function logOut(everywhere) {
  return request('DELETE', `/service/session${everywhere ? '?Everywhere=true' : ''}`, { login: true });
}
