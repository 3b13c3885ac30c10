import type { ItemType } from '../../access/rights.ts';
import { isLink, linkTargets } from '../../items/fields.ts';
import type { LinkChoice } from '../../overviews/openItem.ts';
import type { Values } from './values.ts';

export const linkWords = ({ id, title }: LinkChoice): string => `#${id} ${title}`;

/** Replaces typed links with ids. Text that matches no item, or several, stays and is refused later. */
export function withLinkIds(values: Values, { targets, type }: { targets: readonly LinkChoice[]; type: ItemType }): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => {
      if (!isLink(name)) return [name, text];
      const types = linkTargets(name, type);
      return [
        name,
        idOf(
          text,
          targets.filter((target) => types.includes(target.type)),
        ),
      ];
    }),
  );
}

function idOf(text: string, fitting: readonly LinkChoice[]): string {
  const typed = text.trim();
  const number = /^#?(\d{1,16})(?:\s|$)/.exec(typed)?.[1];
  // A title may start with a number.
  const [titled, ...others] = fitting.filter(({ title }) => title.toLowerCase() === typed.toLowerCase());
  if (titled && others.length === 0) return String(titled.id);
  return number ?? typed;
}
