/** A list row; two lines on phones. Its actions show on hover or focus. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';

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
