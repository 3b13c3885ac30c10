/** The history of an item, oldest first: changes as lines, comments and decisions as cards. */
import { type Content, type Html, html } from '../html.ts';
import { type AvatarProps, avatar } from './avatar.ts';
import { icon } from './icon.ts';
import type { IconName } from './icons.ts';

export const stream = (entries: Content, id?: string): Html => html`<ol class="stream"${id && html` id="${id}"`}>${entries}</ol>`;

export interface ChangeProps {
  icon: IconName;
  text: Content;
  when: Content;
  id?: string;
}

export function change({ icon: name, text, when, id }: ChangeProps): Html {
  return html`<li class="ev"${id && html` id="${id}"`}><span class="ic">${icon(name, 's')}</span><p>${text} ${when}</p></li>`;
}

export interface SayProps {
  who: AvatarProps | null;
  title: Content;
  when: Content;
  body: Content;
  /** 'agent': written by an agent. */
  kind?: 'comment' | 'decision' | 'rejected' | 'agent';
  sign?: Content;
  badge?: Content;
  /** Content of "Show as submitted". */
  submitted?: Content;
  foot?: Content;
  id?: string;
}

const classes = { comment: 'say', decision: 'say decision', rejected: 'say decision rejected', agent: 'say agent' };

export function say({ who, title, when, body, kind = 'comment', sign, badge, submitted, foot, id }: SayProps): Html {
  return html`<li class="${classes[kind]}"${id && html` id="${id}"`}>${avatar(who, { beside: true, nobody: 'Unknown user' })}<article class="card"><header>${sign}<b>${title}</b>${badge}${when}</header>${body}${
    submitted &&
    html`<details><summary>${icon('chevron-right', 's')}Show as submitted</summary><blockquote>${submitted}</blockquote></details>`
  }${foot && html`<footer>${foot}</footer>`}</article></li>`;
}

export function composer(control: Content, foot: Content): Html {
  return html`<div class="card composer">${control}<footer>${foot}</footer></div>`;
}
