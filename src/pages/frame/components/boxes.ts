import { type Content, type Html, html } from '../html.ts';
import { iconButton } from './button.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

interface FoldProps {
  /** True when a form inside was refused. */
  open?: boolean;
  id?: string;
  class?: string;
  attributes?: Content;
}

export const fold = (summary: Content, body: Content, { open, id, class: more, attributes }: FoldProps = {}): Html =>
  html`<details class="fold${more && ` ${more}`}"${id && html` id="${id}"`}${open && html` open`}><summary${attributes}>${summary}</summary>${body}</details>`;

export interface Tab {
  href: string;
  label: string;
  current: boolean;
}

export const tabs = (label: string, all: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>${all.map(
    ({ href, label: name, current }) => html`<li><a href="${href}"${current && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`;

const kinds = {
  done: { tone: 'green', icon: 'circle-check', role: 'status' },
  info: { tone: 'accent', icon: 'info', role: 'status' },
  warning: { tone: 'amber', icon: 'triangle-alert', role: 'status' },
  error: { tone: 'red', icon: 'octagon-alert', role: 'alert' },
} as const satisfies Record<string, { tone: string; icon: IconName; role: string }>;

export function notice(kind: keyof typeof kinds, text: Content, action?: Content): Html {
  const { tone, icon: name, role } = kinds[kind];
  return html`<div class="notice ${tone}" role="${role}">${icon(name)}<p>${text}</p>${action && html`<div class="do">${action}</div>`}</div>`;
}

interface EmptyProps {
  icon: IconName;
  title: Content;
  text?: Content;
  action?: Content;
}

export function empty({ icon: name, title, text, action }: EmptyProps): Html {
  return html`<div class="empty">${icon(name, 'l')}<b>${title}</b>${text && html`<p>${text}</p>`}${action && html`<div class="do">${action}</div>`}</div>`;
}

/** A native dialog, opened by script. Its action must also be reachable without script. */
interface DialogProps {
  id: string;
  title: Content;
  foot?: Content;
  open?: boolean;
}

export function dialog({ id, title, foot, open }: DialogProps, body: Content): Html {
  return html`<dialog class="dialog" id="${id}" aria-labelledby="${id}-title"${open && html` open`}><header><h2 id="${id}-title">${title}</h2><form method="dialog">${iconButton('x', 'Close')}</form></header><div class="body">${body}</div>${
    foot && html`<footer>${foot}</footer>`
  }</dialog>`;
}

/** A switch between up to four views of the same data. */
interface Segment {
  href: string;
  label: string;
  icon?: IconName;
  /** The label is only for screen readers and the tooltip. */
  iconOnly?: boolean;
  current?: boolean;
  attributes?: Content;
}

export function segments(label: string, all: readonly Segment[]): Html {
  return html`<nav class="seg" aria-label="${label}">${all.map(
    ({ href, label: name, icon: sign, iconOnly, current, attributes }) =>
      html`<a href="${href}"${current && html` aria-current="page"`}${iconOnly && html` aria-label="${name}" title="${name}"`}${attributes}>${sign && icon(sign, 's')}${!iconOnly && name}</a>`,
  )}</nav>`;
}

/** Rows under a heading that folds without script. */
interface GroupProps {
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

interface FieldProps {
  label: Content;
  /** Name of the control. The ids of hint and error start with it. */
  name: string;
  hint?: Content;
  error?: Content;
  /** Gets the ARIA attributes of the control: (mark) => html`<input class="input" id="title" name="title"${mark}>` */
  control: (mark: Content) => Content;
  /** Id of the control; default: its name. */
  id?: string;
  class?: string;
  optional?: boolean;
}

export function field({ label, name, hint, error, control, id = name, class: more, optional }: FieldProps): Html {
  const ids = [error && `fault-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ');
  const mark = [error && html` aria-invalid="true"`, ids && html` aria-describedby="${ids}"`];
  return html`<div class="field${more && ` ${more}`}"><label class="flabel" for="${id}">${label}${optional && html` <span class="meta">optional</span>`}</label>${control(mark)}${
    error && html`<p class="fault" id="fault-${name}">${error}</p>`
  }${hint && html`<p class="hint" id="hint-${name}">${hint}</p>`}</div>`;
}

export interface Property {
  label: Content;
  /** A link, button or `<span>`. Plain text gets a span. */
  value: Content;
}

export function properties(all: readonly (Property | false | null | undefined)[]): Html {
  return html`<dl class="props">${all.map(
    (one) =>
      one &&
      html`<div><dt>${one.label}</dt><dd>${typeof one.value === 'string' || typeof one.value === 'number' ? html`<span>${one.value}</span>` : one.value}</dd></div>`,
  )}</dl>`;
}

export function section(props: { title: Content; id?: string; meta?: Content; action?: Content; class?: string }, body: Content): Html {
  const { title, id, meta, action, class: more } = props;
  return html`<section${more && html` class="${more}"`}${id && html` id="${id}"`}><div class="sec"><h2>${title}</h2>${meta && html`<span class="meta">${meta}</span>`}${
    action && html`<span class="push"></span>${action}`
  }</div>${body}</section>`;
}

interface CardProps {
  id?: string;
  meta?: Content;
  action?: Content;
  class?: string;
  /** Heading level, default 2. */
  level?: 2 | 3;
}

export function card(title: Content, body: Content, { id, meta, action, class: more, level = 2 }: CardProps = {}): Html {
  const heading = level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`;
  return html`<section class="card${more && ` ${more}`}"${id && html` id="${id}"`}><header>${heading}${meta && html`<span class="meta">${meta}</span>`}${
    action && html`<span class="push"></span>${action}`
  }</header><div class="body">${body}</div></section>`;
}

export function asideSection(title: Content, body: Content, more?: string): Html {
  return html`<section class="fact${more && ` ${more}`}"><h2>${title}</h2>${body}</section>`;
}
