// The title of a new item is read as a quick line: the server says which words set which fields.
import { showChips } from './composeChips.ts';
import { form, type Mark, said, setFromTitle, title } from './composeForm.ts';
import { all, fetchPage, fieldValue, make } from './shared.ts';

let asking: AbortController | null = null;
let marks: readonly Mark[] = [];

function take(found: readonly Mark[]): void {
  marks = found;
  const labels = [...new Set(setFromTitle(found))];
  const hint = make('span', { class: 'wide' }, make('kbd', { class: 'kbd' }, 'Backspace'), ' keeps the last word as text.');
  said().replaceChildren(...(labels.length > 0 ? [`Set from the title: ${labels.join(', ')}. `, hint] : []));
  showChips(marks);
}

export const showAgain = (): void => showChips(marks);
export function forgetMarks(): void {
  marks = [];
}

export async function readTitle(): Promise<void> {
  asking?.abort();
  const line = title().value;
  if (line.trim() === '') return take([]);
  asking = new AbortController();
  const query = new URLSearchParams({ type: fieldValue(form(), 'type'), line, opened: '' });
  try {
    const { answer, page } = await fetchPage(`${form().action.replace(/\/items$/, '/quick')}?${query}`, { signal: asking.signal });
    if (!answer.ok || title().value !== line) return;
    take(
      all('.said mark[data-word]', page).map(({ dataset: { set = '', value = '', word = '' }, textContent }) => ({
        ...{ name: set, value, word, text: textContent ?? '' },
      })),
    );
    const answered = page.querySelector('.said');
    if (answered?.querySelector('[data-fault]')) said().replaceChildren(...document.importNode(answered, true).childNodes);
  } catch {
    // The server interprets the title again when it is sent.
  }
}

/** Quotes the last word of the title if it sets a field: then it is text. */
export function quoteLastWord(field: HTMLInputElement): boolean {
  const { value, selectionStart: start, selectionEnd: end } = field;
  const last = marks.find(({ word }) => value.endsWith(` ${word}`));
  if (!last || start !== end || end !== value.length) return false;
  field.value = `${value.slice(0, -last.word.length)}"${last.word.replaceAll('"', '')}"`;
  void readTitle();
  return true;
}
