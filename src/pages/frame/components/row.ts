/** A list row; two lines on phones. Its actions show on hover or focus. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

/** `kind` names the column. 'ring', 'est', 'due', 'prio' and 'who' have a place on phones; other lists add their own in CSS. */
export interface Cell {
  kind: string;
  content: Content;
}

export interface RowProps {
  item?: number;
  pick?: Content;
  /** statusIcon(), or a link that changes the status. */
  status: Content;
  number?: number | string;
  title: Content;
  /** Link of the whole row, with the context path. */
  href: string | Html;
  context?: Content;
  /** Reason why the item is blocked; shown instead of the context. */
  why?: Content;
  tags?: Content;
  /** Buttons on hover and focus. Each action must also be available elsewhere. */
  actions?: Content;
  always?: Content;
  cells?: readonly (Cell | false | null | undefined)[];
  /** 'done' greys the title, 'child' indents the row. */
  class?: string;
  /** More attributes, e.g. the nesting level. */
  attributes?: Content;
}

export function row(props: RowProps): Html {
  const { item, pick, status, number, title, href, context, why, tags, actions, always, cells = [] } = props;
  return html`<li class="row${props.class && ` ${props.class}`}"${item !== undefined && html` data-item="${item}"`}${props.attributes}>${pick}<span class="c c-st">${status}</span>${
    number !== undefined && html`<span class="num">${number}</span>`
  }<div class="t"><a href="${href}" dir="auto">${title}</a>${why ? html`<span class="why">${why}</span>` : context && html`<span class="up">${context}</span>`}</div>${
    tags && html`<span class="tags">${tags}</span>`
  }${actions && acting(actions, item)}${always && html`<span class="on-top">${always}</span>`}${cells.map(
    (cell) => cell && html`<span class="c c-${cell.kind}">${cell.content}</span>`,
  )}</li>`;
}

const acting = (actions: Content, item: number | undefined): Html =>
  html`<button class="icon-btn act-more" type="button" popovertarget="acts-${item}" aria-label="Actions for ${item}">${icon('ellipsis', 's')}</button><div class="acts" id="acts-${item}" popover>${actions}</div>`;

/** The checkbox that selects a row. `form`: id of its form. `version`: the shown version, checked for conflicts in bulk changes. */
export function pick(props: { value: number; version?: number; label: string; form?: string; checked?: boolean }): Html {
  const { value, version, label, form = 'bulk', checked } = props;
  return html`<input class="pick" type="checkbox" name="ids" value="${value}${version !== undefined && `.${version}`}" form="${form}" aria-label="${label}" data-key="x"${checked && html` checked`} autocomplete="off">`;
}

export const estimateCell = (words: string | null): Html =>
  words === null
    ? html`<span class="est none" title="No estimate">–<span class="vh"> no estimate</span></span>`
    : html`<span class="est">${words}</span>`;

// The bar for bulk changes. Without script it is at the end of the list.

/** Place it inside the form whose id the rows' checkboxes name. A script updates `count`; without script the count is unknown. */
export function bulkBar({ count, clear }: { count?: number; clear: Content }, actions: Content): Html {
  const said = count === undefined ? html`<b data-selected>Selected</b>` : html`<b data-selected aria-live="polite">${count} selected</b>`;
  return html`<div class="bulk" role="group" aria-label="Change selected items">${said}<span class="sep"></span>${actions}<span class="sep"></span>${clear}</div>`;
}

export function bulkAction(
  name: IconName,
  label: string,
  { value, key, attributes }: { value: string; key?: string; attributes?: Content },
): Html {
  return html`<button name="change" value="${value}"${key && html` data-bulk-key="${key}" aria-keyshortcuts="${key}"`}${attributes}>${icon(name, 's')}${label}</button>`;
}

/** A one-line input that understands text ("45m on words yesterday") and shows the interpretation before saving. */
interface QuickProps {
  id: string;
  name: string;
  label: string;
  value?: string;
  placeholder?: string;
  icon: IconName;
  action: Content;
  /** understood(), or an error text. */
  said?: Content;
  attributes?: Content;
}

/** Must be inside a form. */
export function quickLine({ id, name, label, value, placeholder, icon: sign, action, said, attributes }: QuickProps): Html {
  return html`<div class="quick"><div class="quick-line"><label class="vh" for="${id}">${label}</label>${icon(sign)}<input class="input" id="${id}" name="${name}" value="${value ?? ''}"${
    placeholder && html` placeholder="${placeholder}"`
  } autocomplete="off" aria-describedby="${id}-said"${attributes}>${action}</div><p class="said" id="${id}-said" aria-live="polite">${said}</p></div>`;
}

/** "Logs [45 min] on [33 Words for every message] [Tuesday 24 November]": marked parts were recognised in the input. */
export const understood = (...parts: (string | { mark: Content; attributes?: Content })[]): Content =>
  parts.map(
    (part, n) =>
      html`${n > 0 && ' '}${typeof part === 'string' ? html`<span>${part}</span>` : html`<mark${part.attributes}>${part.mark}</mark>`}`,
  );

/** A data table. On phones its rows become cards. */
export interface Column {
  label: Content;
  /** Aligned to the end. */
  number?: boolean;
  /** The heading is only for screen readers (a column of buttons). */
  quiet?: boolean;
}

export interface Row {
  attributes: Content;
  cells: readonly Content[];
}

/** ```ts
 *  table({ caption: 'Keys', columns: [{ label: 'Name' }, { label: 'Last used' }] }, [['CI', moment(…)]])
 *  ```
 *  The first cell of a row is its heading. */
export function table(
  props: { caption: string; columns: readonly Column[]; class?: string },
  rows: readonly (readonly Content[] | Row)[],
): Html {
  const { caption, columns, class: more } = props;
  const head = columns.map(
    ({ label, number, quiet }) =>
      html`<th scope="col"${number && html` class="num"`}>${quiet ? html`<span class="vh">${label}</span>` : label}</th>`,
  );
  const cell = (content: Content, at: number): Content => {
    const column = columns[at];
    const attributes = [column?.number && html` class="num"`, column && !column.quiet && html` data-label="${column.label}"`];
    return at === 0 ? html`<th scope="row">${content}</th>` : html`<td${attributes}>${content}</td>`;
  };
  return html`<table class="table${more && ` ${more}`}"><caption class="vh">${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows.map(
    (row) => ('cells' in row ? html`<tr${row.attributes}>${row.cells.map(cell)}</tr>` : html`<tr>${row.map(cell)}</tr>`),
  )}</tbody></table>`;
}

/** The numbers of a chart, folded below it. The first cell of a row is its heading. */
export const chartNumbers = (label: string, heads: readonly string[], rows: readonly (readonly Content[])[]): Html =>
  html`<details class="numbers"><summary>Show numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details>`;
