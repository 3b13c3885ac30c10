/** A link as it is typed: by number, by title, or both as they are offered. Pure. */
import type { ItemType } from '../../access/rights.ts';
import { linkTargets } from '../../items/fields.ts';
import type { LinkChoice } from '../../overviews/openItem.ts';
import { type FormName, isLink } from './fields.ts';
import type { Values } from './values.ts';

/** "#5 Cars and changes" */
export const linkWords = ({ id, title }: LinkChoice): string => `#${id} ${title}`;

/** The values with the ids of the links; what means none, or several, stays as it was typed and is refused. */
export function withLinkIds(values: Values, { targets, type }: { targets: readonly LinkChoice[]; type: ItemType }): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => {
      if (!isLink(name as FormName)) return [name, text];
      const types = linkTargets[name as keyof typeof linkTargets](type);
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
  // A title may begin with a number.
  const titled = fitting.filter(({ title }) => title.toLowerCase() === typed.toLowerCase());
  if (titled.length === 1) return String(titled[0]!.id);
  return number ?? typed;
}
