// What is around each page: the marks, the ways to other pages, the theme, and who is logged in.
import { classes, html, useEffect, usePopup, useState } from './ui.js';
import { icon } from './icons.js';

export function Mark({ size }) {
  return html`<img class="mark" src="console/icon.svg" width=${size} height=${size} alt="" />`;
}

const THEMES = ['system', 'light', 'dark'];

export function ThemeSwitch() {
  const [theme, setTheme] = useState(localStorage.getItem('avocet-theme') || 'system');
  function next() {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    if (chosen === 'system') {
      localStorage.removeItem('avocet-theme');
      delete document.documentElement.dataset.theme;
    } else {
      localStorage.setItem('avocet-theme', chosen);
      document.documentElement.dataset.theme = chosen;
    }
    setTheme(chosen);
    window.dispatchEvent(new Event('avocet-theme'));
  }
  return html`<button class="button quiet theme-switch" type="button" onClick=${next}
    aria-label=${`Theme: ${theme}. Change the theme`} title=${`Theme: ${theme}`}>
    ${icon(theme === 'system' ? 'auto' : theme === 'light' ? 'sun' : 'moon')}</button>`;
}

function UserMenu({ who, onLogOut }) {
  const { open, setOpen, box } = usePopup();
  const name = who.User || 'This machine';
  return html`
    <div class="menu" ref=${box}>
      <button class="button quiet" type="button" aria-label=${name} aria-haspopup="true" aria-expanded=${open} onClick=${() => setOpen(!open)}>
        ${icon('user')}<span class="user-name">${name}</span></button>
      ${open && html`
        <div class="menu-box card">
          <p class="menu-title">${name}</p>
          <p class="muted small">May: ${who.Authorities.join(', ')}</p>
          ${who.Session
            ? html`
              <button class="button wide" type="button" onClick=${() => onLogOut(false)}>Log out</button>
              <button class="button quiet wide" type="button" onClick=${() => onLogOut(true)}>Log out everywhere</button>`
            : html`<p class="muted small">This broker asks for no password here, so there is nothing to log out of.</p>`}
        </div>`}
    </div>`;
}

/** A page with all that is around it. `pages` are those that the user may see. */
export function Shell({ pages, current, who, broker, reachable, onLogOut, children }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current]);
  const title = pages.find((page) => page.id === current)?.title || '';
  useEffect(() => {
    document.title = `${title} · ${broker?.name || 'Avocet'}`;
  }, [title, broker?.name]);
  const groups = [...new Set(pages.map((page) => page.group))];
  return html`
    <a class="skip" href="#content" onClick=${(event) => {
      event.preventDefault();
      document.getElementById('content').focus();
    }}>Skip to the content</a>
    <div class="shell">
      <header class="top">
        <button class="button quiet only-narrow" type="button" aria-label="Pages" aria-expanded=${open}
          onClick=${() => setOpen(!open)}>${icon('menu')}</button>
        <a class="brand" href="#/" aria-label="Avocet, to the dashboard"><${Mark} size="26" /><span>Avocet</span></a>
        <span class="top-page" aria-hidden="true">${title}</span>
        <span class="spacer"></span>
        <${ThemeSwitch} />
        <${UserMenu} who=${who} onLogOut=${onLogOut} />
      </header>
      <nav class=${classes('side', open && 'is-open')} aria-label="Pages">
        ${groups.map((group) => html`
          <div class="side-group" key=${group}>
            ${group && html`<p class="side-title">${group}</p>`}
            ${pages.filter((page) => page.group === group).map((page) => html`
              <a key=${page.id} href=${`#/${page.id}`} class=${classes('side-link', page.id === current && 'is-current')}
                aria-current=${page.id === current ? 'page' : undefined}>${icon(page.icon)}<span>${page.title}</span>${page.mark && html`<${page.mark} />`}</a>`)}
          </div>`)}
        <p class="side-foot muted small">${broker?.version ? `Version ${broker.version}` : ''}</p>
      </nav>
      <main id="content" class="content" tabindex="-1">
        ${!reachable && html`<p class="note note-bad" role="alert">The broker does not answer. This page tries again by itself;
          what it shows may be old.</p>`}
        ${children}
      </main>
    </div>`;
}
