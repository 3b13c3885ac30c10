/** What one presses: buttons of forms, links that look like them, and those that are an icon alone. */
import { type Content, type Html, html } from '../html.ts';
import { kbd } from './badge.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export interface ButtonProps {
  /** Without: a plain one. One `primary` in an area. */
  kind?: 'primary' | 'quiet' | 'danger';
  small?: boolean;
  /** As wide as what it stands in. */
  block?: boolean;
  icon?: IconName;
  /** The key that does the same, shown beside it: one letter is listened to by keys.js, anything else is only shown. */
  key?: string;
  /** On phones the icon alone is seen. */
  iconOnPhone?: boolean;
  /** Not below 960 px, where something else does the same. */
  wideOnly?: boolean;
  class?: string;
  /** Said instead of the label where that is too short to stand alone. */
  said?: string;
  title?: string;
  /** More attributes, e.g. html` data-menu popovertarget="x"`. */
  attributes?: Content;
}

export interface SubmitProps extends ButtonProps {
  name?: string;
  value?: string | number;
  /** 'submit' unless given. */
  type?: 'submit' | 'button' | 'reset';
  /** The id of the form, where it stands outside of it. */
  form?: string;
  /** Another address than the form's, below the origin. */
  formaction?: string;
  disabled?: boolean;
}

const at = (name: string, value: string | number | false | null | undefined): Content =>
  value !== undefined && value !== null && value !== false && html` ${name}="${value}"`;

/** A single letter that keys.js listens to. */
const letterOf = (key: string | undefined): string | undefined => (key?.length === 1 ? key : undefined);

const common = ({ key, said, title, attributes }: ButtonProps): Content => {
  const letter = letterOf(key);
  return [at('data-key', letter?.toLowerCase()), at('aria-keyshortcuts', letter), at('aria-label', said), at('title', title), attributes];
};

const classOf = ({ kind, small, block, wideOnly, class: more }: ButtonProps): string =>
  ['btn', kind, small && 'small', block && 'block', wideOnly && 'at-wide', more].filter(Boolean).join(' ');

const inside = (label: Content, { icon: name, key, iconOnPhone }: ButtonProps): Content => [
  name && icon(name, 's'),
  iconOnPhone ? html`<span class="vh-phone">${label}</span>` : label,
  key && kbd(key),
];

const ofForm = ({ name, value, type, form, formaction, disabled }: SubmitProps): Content => [
  at('type', type),
  at('name', name),
  at('value', value),
  at('form', form),
  at('formaction', formaction),
  disabled && html` disabled`,
];

export function button(label: Content, props: SubmitProps = {}): Html {
  return html`<button class="${classOf(props)}"${ofForm(props)}${common(props)}>${inside(label, props)}</button>`;
}

/** `href` with the context path. */
export function linkButton(href: string, label: Content, props: ButtonProps & { current?: boolean } = {}): Html {
  return html`<a class="${classOf(props)}" href="${href}"${props.current && html` aria-current="true"`}${common(props)}>${inside(label, props)}</a>`;
}

const iconClass = ({ class: more }: ButtonProps): string => (more ? `icon-btn ${more}` : 'icon-btn');

/** `label` is said, and shown on hover. */
export function iconButton(name: IconName, label: string, props: SubmitProps & { size?: 's' | 'l' } = {}): Html {
  return html`<button class="${iconClass(props)}"${ofForm(props)}${common({ title: label, ...props, said: label })}>${icon(name, props.size)}</button>`;
}

export function iconLink(href: string, name: IconName, label: string, props: ButtonProps & { size?: 's' | 'l' } = {}): Html {
  return html`<a class="${iconClass(props)}" href="${href}"${common({ title: label, ...props, said: label })}>${icon(name, props.size)}</a>`;
}
