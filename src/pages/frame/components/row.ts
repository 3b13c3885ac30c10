/** A row of a list: what it is, when it is due, who has it; on a phone two lines of it. What acts on it comes on hover or focus. */
import { type Content, type Html, html } from '../html.ts';
import { kept } from '../kept.ts';
import { icon } from './icon.ts';

/** `kind` names the column: 'ring', 'est', 'due', 'prio', 'who' have their place on phones too; a list of its own adds others to its CSS. */
export interface Cell {
  kind: string;
  content: Content;
}

export interface RowProps {
  /** Its id, for keys and scripts. */
  item?: number;
  /** What selects it, mostly pick(). */
  pick?: Content;
  /** statusIcon(), or a link that changes it. */
  status: Content;
  number?: number | string;
  title: Content;
  /** Where the whole row leads, with the context path. */
  href: string | Html;
  /** What it belongs to. */
  context?: Content;
  /** Why it stands still; shown instead of the context. */
  why?: Content;
  tags?: Content;
  /** Buttons that come on hover and focus, each doing what can be done elsewhere too. */
  actions?: Content;
  /** A button that is always seen ("Decide"). */
  always?: Content;
  cells?: readonly (Cell | false | null | undefined)[];
  /** 'done' greys its title, 'child' sets it below its parent. */
  class?: string;
  /** Another level of nesting. */
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

/** On hover and focus; on phones behind a button, as a sheet. It opens without script. */
const acting = (actions: Content, item: number | undefined): Html =>
  html`<button class="icon-btn act-more" type="button" popovertarget="acts-${item}" aria-label="What to do with ${item}">${icon('ellipsis', 's')}</button><div class="acts" id="acts-${item}" popover>${actions}</div>`;

/** The box that selects a row for the form of that id; with the `version` that is shown, which a change of many is based on. */
export function pick(props: { value: number; version?: number; label: string; form?: string; checked?: boolean }): Html {
  const { value, version, label, form = 'bulk', checked } = props;
  return html`<input class="pick" type="checkbox" name="ids" value="${value}${version !== undefined && `.${version}`}" form="${form}" aria-label="${label}" data-key="x"${checked && html` checked`} autocomplete="off">`;
}

/** Hours of an estimate in a row; a dash where there is none. */
export const estimateCell: (words: string | null) => Html = kept(String, (words: string | null) =>
  words === null
    ? html`<span class="est none" title="No estimate">–<span class="vh"> no estimate</span></span>`
    : html`<span class="est">${words}</span>`,
);
