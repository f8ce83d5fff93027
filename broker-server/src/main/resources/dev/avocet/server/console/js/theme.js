// Runs before anything is shown, so that no page flashes in the wrong colours.
const chosen = localStorage.getItem('avocet-theme');
if (chosen === 'light' || chosen === 'dark') {
  document.documentElement.dataset.theme = chosen;
}
