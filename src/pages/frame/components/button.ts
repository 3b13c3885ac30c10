import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';
import { kbd } from './marks.ts';

interface ButtonProps {
  /** Default: a plain button. Use one `primary` per area. */
  kind?: 'primary' | 'quiet' | 'danger';
  small?: boolean;
  block?: boolean;
  icon?: IconName;
  /** Keyboard shortcut, shown on the button. keys.js handles single letters; other keys are only shown. */
  key?: string;
  /** Only the icon is visible on phones. */
  iconOnPhone?: boolean;
  /** Hidden below 960 px, where another control does the same. */
  wideOnly?: boolean;
  class?: string;
  /** aria-label, when the label is too short to be understood alone. */
  said?: string;
  title?: string;
  attributes?: Content;
}

interface SubmitProps extends ButtonProps {
  name?: string;
  value?: string | number;
  type?: 'submit' | 'button' | 'reset';
  form?: string;
  /** Replaces the form's action; starts at the root. */
  formaction?: string;
  disabled?: boolean;
}

const at = (name: string, value: string | number | false | null | undefined): Content =>
  value !== undefined && value !== null && value !== false && html` ${name}="${value}"`;

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

/** `href` includes the context path. */
export function linkButton(href: string, label: Content, props: ButtonProps & { current?: boolean } = {}): Html {
  return html`<a class="${classOf(props)}" href="${href}"${props.current && html` aria-current="true"`}${common(props)}>${inside(label, props)}</a>`;
}

const iconClass = ({ class: more }: ButtonProps): string => (more ? `icon-btn ${more}` : 'icon-btn');

/** `label`: aria-label and tooltip. */
export function iconButton(name: IconName, label: string, props: SubmitProps & { size?: 's' | 'l' } = {}): Html {
  return html`<button class="${iconClass(props)}"${ofForm(props)}${common({ title: label, ...props, said: label })}>${icon(name, props.size)}</button>`;
}

export function iconLink(href: string, name: IconName, label: string, props: ButtonProps & { size?: 's' | 'l' } = {}): Html {
  return html`<a class="${iconClass(props)}" href="${href}"${common({ title: label, ...props, said: label })}>${icon(name, props.size)}</a>`;
}
