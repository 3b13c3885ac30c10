/** A board: columns of tiles. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';

/** `columns`: column(), shutColumn(). */
export function board(label: string, columns: Content, attributes?: Content): Html {
  return html`<div class="board" tabindex="0" role="region" aria-label="${label}"${attributes}>${columns}</div>`;
}

export interface ColumnProps {
  id: string;
  name: string;
  /** statusIcon({ …, beside: true }), avatar(…), priorityIcon(…). */
  icon?: Content;
  count: number | string;
  /** "124 h" */
  sum?: Content;
  /** At the heading's end, e.g. the link that folds it. */
  action?: Content;
  /** Add at its end. */
  add?: Content;
  attributes?: Content;
}

/** `tiles`: tile()s, or emptyColumn(). */
export function column({ id, name, icon: sign, count, sum, action, add, attributes }: ColumnProps, tiles: Content): Html {
  return html`<section class="col" aria-labelledby="${id}"${attributes}><header>${sign}<h2 id="${id}">${name}</h2><span class="n">${count}</span>${
    sum && html`<span class="sum">${sum}</span>`
  }${action}</header><ul class="cards">${tiles}</ul>${add}</section>`;
}

/** Folded: a click opens it. */
export function shutColumn({
  name,
  icon: sign,
  count,
  href,
}: {
  name: string;
  icon?: Content;
  count: number | string;
  href: string;
}): Html {
  return html`<a class="col shut" href="${href}" title="Open the column ${name}">${sign}<span class="n">${count}</span><h2>${name}</h2></a>`;
}

export const emptyColumn = (title: Content, text?: Content): Html =>
  html`<li class="empty"><b>${title}</b>${text && html`<span>${text}</span>`}</li>`;

/** "Add a task" at a column's end. */
export const addTile = (href: string, label: string, attributes?: Content): Html =>
  html`<a class="addt" href="${href}"${attributes}>${icon('plus', 's')}${label}</a>`;

export interface TileProps {
  item: number;
  number: number | string;
  title: Content;
  href: string;
  context?: Content;
  /** Only when it says something: not for the usual one. */
  priority?: Content;
  /** Why it stands still. */
  why?: Content;
  /** progressBar(), for what has begun. */
  progress?: Content;
  /** due(), hours, avatar() in that order. */
  foot?: Content;
  /** A menu that does what dragging does. */
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
