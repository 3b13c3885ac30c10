// Messages about a note: a newer stored text, and a draft of this browser.
import { momentNow } from './clock.ts';
import { make } from './shared.ts';

export const button = (label: string, work: () => unknown, kind = ''): HTMLElement => {
  const made = make('button', { type: 'button', class: `btn small ${kind}` }, label);
  made.addEventListener('click', work);
  return made;
};

/** Both texts side by side. `settle`: gets the chosen text; nothing to keep the typed one. */
export function conflict({ theirs, both, settle }: { theirs: string; both(): string; settle(html?: string): void }): HTMLElement {
  const shown = make('article', { class: 'note prose', tabindex: '0', 'aria-label': 'Saved version' });
  shown.append(stintEditor.shownNote(theirs));
  return make(
    'section',
    { class: 'conflict', 'aria-labelledby': 'conflict' },
    make('p', { class: 'error', role: 'alert' }, 'This note has changed since you opened it. Your text is not saved yet.'),
    make('h2', { id: 'conflict' }, 'Saved version'),
    shown,
    make(
      'p',
      { class: 'actions' },
      button('Keep my version', () => settle(), 'primary'),
      button('Use the saved version', () => settle(theirs)),
      button('Combine both', () => settle(both())),
    ),
  );
}

export function offer({ at, bring, forget }: { at: number; bring(): void; forget(): void }): HTMLElement {
  const when = momentNow(at);
  return make(
    'div',
    { class: 'notice amber', role: 'status' },
    make('p', {}, `Unsaved text from ${when} is kept in this browser.`),
    make('div', { class: 'do' }, button('Restore', bring), button('Discard', forget)),
  );
}
