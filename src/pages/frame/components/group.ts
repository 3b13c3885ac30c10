/** A heading that folds, over rows. It folds without script. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';

export interface GroupProps {
  id: string;
  /** A sign of what it is, e.g. statusIcon({ …, beside: true }). */
  icon?: Content;
  title: Content;
  count?: number | string;
  /** What the rows come to: html`<b>40 h</b> · 21.8 h left`. */
  sum?: Content;
  open?: boolean;
  /** Its title is a warning (overdue). */
  late?: boolean;
  /** More classes of the list, e.g. 'tasks' for its columns. */
  rows?: string;
  /** After the rows: quick add, "50 more". */
  after?: Content;
}

/** `rows`: `<li>`s. */
export function group({ id, icon: sign, title, count, sum, open = true, late, rows: kind, after }: GroupProps, rows: Content): Html {
  return html`<details class="group${late && ' is-late'}" id="${id}"${open && html` open`}><summary>${icon('chevron-right', 's')}${sign}<h2>${title}</h2>${
    count !== undefined && html`<span class="n">${count}</span>`
  }${sum && html`<span class="sum">${sum}</span>`}</summary><ul class="rows${kind && ` ${kind}`}">${rows}</ul>${after}</details>`;
}
