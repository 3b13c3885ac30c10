import type { Left } from '../../../workspaces/roles.ts';
import { type Html, html } from '../html.ts';
import { icon } from './icon.ts';

export interface AvatarProps {
  id: number;
  name: string;
  kind: 'person' | 'agent' | 'service';
  /** Why the person is no active member of the workspace. */
  left?: Left | null;
}

export const leftWords: Record<Left, string> = { deactivated: 'deactivated', left: 'left the workspace' };

export const fullName = ({ name, left }: Pick<AvatarProps, 'name' | 'left'>): string => (left ? `${name} (${leftWords[left]})` : name);

export interface AvatarStyle {
  size?: 'l';
  /** Hidden from screen readers, because the name is next to it. */
  beside?: boolean;
  nobody?: string;
}

/** First letters of the first and last name: "AL" for Ana Lindqvist, "B" for Bo. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : [words[0]!];
  return letters.map((word) => [...(/[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')].join('').toLocaleUpperCase('en')).join('') || '?';
}

/** 1 to 6. A person always has the same tint. */
export const tintOf = (id: number): number => (Math.abs(Math.trunc(id)) % 6) + 1;

export function avatar(who: AvatarProps | null, { size, beside, nobody = 'Unassigned' }: AvatarStyle = {}): Html {
  const name = who ? fullName(who) : nobody;
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
