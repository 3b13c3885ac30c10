/** Rows under a heading that folds without script. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';

export interface GroupProps {
  id: string;
  icon?: Content;
  title: Content;
  count?: number | string;
  sum?: Content;
  open?: boolean;
  /** Overdue: the title is a warning. */
  late?: boolean;
  /** More classes for the list, e.g. 'tasks' for its columns. */
  rows?: string;
  after?: Content;
}

export function group({ id, icon: sign, title, count, sum, open = true, late, rows: kind, after }: GroupProps, rows: Content): Html {
  return html`<details class="group${late && ' is-late'}" id="${id}"${open && html` open`}><summary>${icon('chevron-right', 's')}${sign}<h2>${title}</h2>${
    count !== undefined && html`<span class="n">${count}</span>`
  }${sum && html`<span class="sum">${sum}</span>`}</summary><ul class="rows${kind && ` ${kind}`}">${rows}</ul>${after}</details>`;
}
