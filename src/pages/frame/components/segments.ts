/** A switch between up to four views of the same data. */
import { type Content, type Html, html } from '../html.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export interface Segment {
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
