// Who shares a subscription.
import { html, useEffect, useState } from './ui.js';
import { encoded, get } from './api.js';
import { whole } from './format.js';

const PAGE = 25;

export function Members({ row }) {
  const [members, setMembers] = useState([]);
  const [total, setTotal] = useState(NaN);
  const [after, setAfter] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (row.IsShared) {
      get(`/service/Subscription/${encoded(row.ClientID)}/${encoded(row.SubName)}/Member?ResultCount=${PAGE}&After=${encoded(after)}`)
        .then((answer) => {
          setMembers((before) => [...before, ...answer.Member]);
          setTotal(answer.Total);
        }, (failure) => setProblem(failure.message));
    }
  }, [after]);
  if (!row.IsShared) {
    return null;
  }
  return html`
    <h3 class="part-title">Shared by ${Number.isFinite(total) ? `${whole(total)} clients` : '…'}</h3>
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    <ul class="plain-list" aria-label="Members">${members.map((each) => html`
      <li key=${each.ClientID}><span class="mono">${each.ClientID}</span>${' '}<span class=${`state state-${each.IsConnected ? 'good' : 'off'}`}>${
        each.IsConnected ? `connected${each.UserID ? ` as ${each.UserID}` : ''} at ${each.Endpoint}` : 'away'}</span></li>`)}</ul>
    ${members.length < total && html`<button type="button" class="button small"
      onClick=${() => setAfter(members[members.length - 1].ClientID)}>Show more</button>`}`;
}
