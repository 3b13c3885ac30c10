import type { Left } from '../../../workspaces/statuses.ts';
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';

export interface AvatarProps {
  id: number;
  name: string;
  kind: 'person' | 'agent' | 'service';
  /** Why the person is not an active member of the workspace. */
  left?: Left | null;
}

export const leftLabels: Record<Left, string> = { deactivated: 'deactivated', left: 'left the workspace' };

export const fullName = ({ name, left }: Pick<AvatarProps, 'name' | 'left'>): string => (left ? `${name} (${leftLabels[left]})` : name);

interface AvatarStyle {
  size?: 'l';
  /** Hidden from screen readers, because the name is next to it. */
  beside?: boolean;
  noUser?: string;
}

/** First letters of the first and last name: "AL" for Ana Lindqvist, "B" for Bo. */
export function initialsOf(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/u);
  return (
    [first, ...others.slice(-1)].map((word) => [...(/[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')].join('').toLocaleUpperCase('en')).join('') ||
    '?'
  );
}

/** 1 to 6. A person always has the same tint. */
export const tintOf = (id: number): number => (Math.abs(Math.trunc(id)) % 6) + 1;

export function avatar(who: AvatarProps | null, { size, beside, noUser = 'Unassigned' }: AvatarStyle = {}): Html {
  const name = who ? fullName(who) : noUser;
  const said = beside ? html` aria-hidden="true"` : html` role="img" aria-label="${name}" title="${name}"`;
  const shape = who === null ? 'none' : who.kind === 'person' ? `a${tintOf(who.id)}` : 'bot';
  const sign = who === null ? icon('user-plus', 's') : who.kind === 'agent' ? icon('bot', 's') : icon('plug', 's');
  return html`<span class="av ${shape}${size && ` ${size}`}${who?.left && ' gone'}"${said}>${who?.kind === 'person' ? initialsOf(who.name) : sign}</span>`;
}

export function avatars(all: readonly AvatarProps[], most = 4): Html {
  const shown = all.length > most ? all.slice(0, most - 1) : all;
  const left = all.slice(shown.length);
  const names = left.map(({ name }) => name).join(', ');
  return html`<span class="stack">${shown.map((who) => avatar(who))}${
    left.length > 0 && html`<span class="av more" role="img" aria-label="and ${names}" title="${names}">+${left.length}</span>`
  }</span>`;
}

/** A secret with a copy button. `id`: element id of the secret's text. */
export function secret(id: string, text: string, label: string): Html {
  return html`<div class="secret"><code id="${id}">${text}</code>${copyButton(id, label, 'primary')}</div>`;
}

/** Hidden until a script shows it. */
const copyButton = (id: string, what: string, kind?: 'primary'): Html =>
  html`<button class="btn small${kind && ` ${kind}`}" type="button" data-copy="${id}" hidden>${icon('copy', 's')}Copy<span class="vh"> ${what}</span></button>`;

/** Set-up lines with a copy button. `what` names them: "for Cursor", "the variable". */
export function codeBox(id: string, text: string, what: string): Html {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="Set-up: ${what}"><code id="${id}">${text}</code></pre>${copyButton(id, what)}</div>`;
}

export interface Tab {
  id: string;
  label: string;
  body: Content;
}

/** Tabs made of radio buttons, so they work without script. At most nine: the CSS has nine. */
export function tabs(name: string, legend: string, all: readonly Tab[]): Html {
  return html`<div class="tabs"><fieldset><legend class="vh">${legend}</legend>${all.map(
    ({ id, label }, at) =>
      html`<label><input type="radio" name="${name}" value="${id}" class="t${at + 1}"${at === 0 && html` checked`} autocomplete="off">${label}</label>`,
  )}</fieldset>${all.map(({ body }, at) => html`<div class="pane p${at + 1}">${body}</div>`)}</div>`;
}

interface NewKeyProps {
  id: string;
  title: Content;
  key: Content;
  /** Names and values that describe the key. */
  facts?: readonly (readonly [name: string, value: Content])[];
  setUp?: Content;
}

export function newKey({ id, title, key, facts = [], setUp }: NewKeyProps): Html {
  const list =
    facts.length > 0 &&
    html`<dl class="key-facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  return html`<section class="card newkey" aria-labelledby="${id}"><header>${icon('key-round')}<h2 id="${id}">${title}</h2><span class="push"></span><span class="at-wide">Shown once. Copy it now</span></header><div class="body${!setUp && ' one'}"><div>${list}${key}</div>${setUp && html`<div>${setUp}</div>`}</div></section>`;
}

interface ConnectionProps {
  id?: string;
  name: Content;
  where: Content;
  more?: Content;
  may: readonly string[];
  mayNot: readonly string[];
  use: Content;
  /** Calls per day of the last seven days, oldest first; null if there are too many to count. */
  calls: readonly number[] | null;
  off?: boolean;
  foot?: Content;
}

export function connection({ id, name, where, more, may, mayNot, use, calls, off, foot }: ConnectionProps): Html {
  const line = (sign: 'check' | 'minus', words: string) =>
    html`<li${sign === 'minus' && html` class="no"`}>${icon(sign, 's')}${words}</li>`;
  return html`<article class="card conn${off && ' off'}"${id && html` id="${id}"`}><header><span class="av bot" aria-hidden="true">${icon('bot')}</span><div><h3>${name}</h3><span class="meta">${where}</span></div>${
    more && html`<span class="push"></span>${more}`
  }</header><ul class="may">${may.map((words) => line('check', words))}${mayNot.map((words) => line('minus', words))}</ul><div class="use"><div>${use}</div>${calls && callBars(calls)}</div>${foot}</article>`;
}

export function callBars(calls: readonly number[]): Html {
  const most = Math.max(1, ...calls);
  const bars = calls.map((count, at) => {
    const height = count === 0 ? 2 : Math.max(3, Math.round((count / most) * 320) / 10);
    return html`<rect${count === 0 && html` class="z"`} x="${at * 11}" y="${Math.round((32 - height) * 10) / 10}" width="8" height="${height}" rx="2"/>`;
  });
  return html`<svg class="bars" viewBox="0 0 76 32" role="img" aria-label="Calls in the last ${calls.length} days: ${calls.join(', ')}">${bars}</svg>`;
}

export const actor = (who: AvatarProps): Html => html`<span class="who">${avatar(who, { beside: true })}${who.name}</span>`;

export const outcome = (ok: boolean, words: string): Html =>
  html`<span class="outcome ${ok ? 'ok' : 'bad'}">${icon(ok ? 'check' : 'ban', 's')}${words}</span>`;
