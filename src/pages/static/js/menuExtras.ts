// Menus with many choices get a search field, those of people free hours and absences.
import { extendMenus } from './menu.ts';
import { fetchJson, hasAll, type Notes, wordsOf } from './pickRows.ts';
import { all, icon, make, the } from './shared.ts';

const MOST_UNSEARCHED = 8;

function addSearch(menu: HTMLElement): void {
  const list = menu.querySelector('.opts');
  const options = list ? all('button.opt, a.opt', list) : [];
  if (!list || options.length <= MOST_UNSEARCHED || list.querySelector('input')) return;
  const seek = make('input', {
    ...{ type: 'text', class: 'input menu-seek', placeholder: 'Search', 'aria-label': 'Search' },
    ...{ autocomplete: 'off', autofocus: '' },
  });
  seek.addEventListener('input', () => {
    const words = wordsOf(seek.value);
    for (const one of options) one.hidden = !hasAll(words, the('.cut', one).textContent ?? '');
  });
  seek.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    options.find((one) => !one.hidden)?.click();
  });
  list.before(seek);
}

async function addNotes(menu: HTMLElement, placeMenu: () => void): Promise<void> {
  if (!menu.dataset.notes) return;
  const found = await fetchJson<Notes>(menu.dataset.notes);
  for (const one of all<HTMLButtonElement>('button.opt[name="value"]', menu)) {
    const told = found[one.value];
    const avatar = one.querySelector('.av');
    if (told?.service && avatar) {
      avatar.replaceChildren(icon('bot'));
      avatar.className = 'av bot';
    }
    if (!told?.note || one.querySelector('.up')?.textContent) continue;
    the('.cut', one).after(make('span', { class: 'up' }, told.note));
  }
  placeMenu();
}

extendMenus((menu, placeMenu) => {
  addSearch(menu);
  addNotes(menu, placeMenu).catch(() => {});
});
