import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';

/** `columns`: column() or collapsedColumn(). */
export function board(label: string, columns: Content, attributes?: Content): Html {
  return html`<div class="board" tabindex="0" role="region" aria-label="${label}"${attributes}>${columns}</div>`;
}

interface ColumnProps {
  id: string;
  name: string;
  icon?: Content;
  count: number | string;
  sum?: Content;
  /** The work in the column, and its limit. */
  wip?: { text: string; over: boolean } | undefined;
  action?: Content;
  add?: Content;
  attributes?: Content;
}

/** `tiles`: tile() or emptyColumn(). */
export function column({ id, name, icon: sign, count, sum, wip, action, add, attributes }: ColumnProps, tiles: Content): Html {
  return html`<section class="col" aria-labelledby="${id}"${attributes}><header>${sign}<h2 id="${id}">${name}</h2><span class="n">${count}</span>${
    sum && html`<span class="sum">${sum}</span>`
  }${wip && wipMark(wip)}${action}</header><ul class="cards">${tiles}</ul>${add}</section>`;
}

const wipMark = ({ text, over }: { text: string; over: boolean }): Html =>
  over
    ? html`<span class="wip over" title="Over the WIP limit">${icon('triangle-alert', 's')}<span class="vh">Over the WIP limit: </span>${text}</span>`
    : html`<span class="wip" title="WIP limit"><span class="vh">WIP limit: </span>${text}</span>`;

export function collapsedColumn({
  name,
  icon: sign,
  count,
  href,
}: {
  name: string;
  icon?: Content;
  count: number | string;
  /** Without it, the submit button of a form. */
  href?: string | undefined;
}): Html {
  const content = html`${sign}<span class="n">${count}</span><h2>${name}</h2>`;
  return href === undefined
    ? html`<button class="col shut" title="Expand ${name}">${content}</button>`
    : html`<a class="col shut" href="${href}" title="Expand ${name}">${content}</a>`;
}

export const emptyColumn = (title: Content, text?: Content): Html =>
  html`<li class="empty"><b>${title}</b>${text && html`<span>${text}</span>`}</li>`;

export const addTile = (href: string, label: string, attributes?: Content): Html =>
  html`<a class="addt" href="${href}"${attributes}>${icon('plus', 's')}${label}</a>`;

export interface TileProps {
  item: number;
  number: number | string;
  title: Content;
  href: string;
  context?: Content;
  /** Left out for the default priority. */
  priority?: Content;
  why?: Content;
  progress?: Content;
  /** due(), hours, avatar() in that order. */
  foot?: Content;
  menu?: Content;
  class?: string;
  attributes?: Content;
}

export function tile(props: TileProps): Html {
  const { item, number, title, href, context, priority, why, progress, foot, menu } = props;
  return html`<li class="tile${props.class && ` ${props.class}`}" data-item="${item}"${props.attributes}><div class="top"><span>${number}</span>${
    context && html`<span class="up">${context}</span>`
  }${priority}${menu}</div><h3 dir="auto"><a href="${href}">${title}</a></h3>${why && html`<p class="why">${why}</p>`}${progress}${foot && html`<div class="foot">${foot}</div>`}</li>`;
}
