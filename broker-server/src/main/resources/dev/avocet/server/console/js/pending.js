// Beside the way to the change set: how many objects are changed.
import { html } from './ui.js';
import { useChangeSet } from './changeset.js';

export function PendingCount() {
  const count = useChangeSet().length;
  return count > 0 ? html`<span class="badge" aria-label=${`${count} not applied`}>${count}</span>` : null;
}
