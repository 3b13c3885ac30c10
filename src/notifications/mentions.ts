/** `@Name` in comments and notes (behaviour §10.21). Pure. */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { type Mentionable, readMentionable } from './tellQueries.ts';

export interface Named {
  id: number;
  name: string;
}

export interface Mentions {
  ids: number[];
  ambiguous: { name: string; people: Named[] }[];
}

const letter = /[\p{L}\p{N}_]/u;

/** A name after `@`. `meant`: the user, or null if several have it. Positions are in UTF-16 units. */
export interface Mentioned {
  from: number;
  to: number;
  meant: Named | null;
  named: Named[];
}

interface Names {
  byName: Map<string, Named[]>;
  lengths: number[];
}

const namesOfPeople = new WeakMap<readonly Named[], Names>();

function namesOf(people: readonly Named[]): Names {
  const known = namesOfPeople.get(people);
  if (known) return known;
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase());
  const lengths = [...new Set([...byName.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  const names = { byName, lengths };
  namesOfPeople.set(people, names);
  return names;
}

/** A text with more is an attack. */
const MOST_LOOKED_UP = 1_000;

/** Names of `people` after `@`, in order and in any case; the longest one counts. A name of several users needs `#` and an id after it. */
export function mentionsAt(text: string, people: readonly Named[]): Mentioned[] {
  const { byName, lengths } = namesOf(people);
  const lower = text.toLowerCase();
  // Lower case can change the length, and positions would be wrong. Then the comparison is case-sensitive.
  const searched = lower.length === text.length ? lower : text;
  const found: Mentioned[] = [];
  let lookedUp = 0;
  for (let from = searched.indexOf('@'); from >= 0 && lookedUp < MOST_LOOKED_UP; from = searched.indexOf('@', from + 1)) {
    if (letter.test(searched.charAt(from - 1))) continue;
    lookedUp++;
    const start = from + 1;
    const name = lengths
      .values()
      .map((length) => searched.slice(start, start + length))
      .find((one) => byName.has(one) && !letter.test(searched.charAt(start + one.length)));
    const named = name && byName.get(name);
    if (name && named) found.push(mentionOf(searched, from, start + name.length, named));
  }
  return found;
}

function mentionOf(text: string, from: number, to: number, named: Named[]): Mentioned {
  const [suffix = '', id] = /^#(\d{1,15})(?!\d)/.exec(text.slice(to, to + 17)) ?? [];
  const one = named.find((each) => each.id === Number(id));
  if (one) return { from, to: to + suffix.length, meant: one, named };
  const [first = null, ...others] = named;
  return { from, to, meant: others.length === 0 ? first : null, named };
}

/** More are a mistake or an attack: a text notifies the first ones, and pages refuse it (behaviour §10.21). */
export const MOST_MENTIONED = 50;

/** `ids` may be more than MOST_MENTIONED. */
export function mentionsIn(text: string, people: readonly Named[]): Mentions {
  const found = mentionsAt(text, people);
  const ambiguous = Map.groupBy(
    found.filter(({ meant }) => !meant),
    ({ named }) => named,
  );
  return {
    ids: [...new Set(found.flatMap(({ meant }) => (meant ? [meant.id] : [])))],
    ambiguous: [...ambiguous.keys()].map((named) => ({ name: elementAt(named, 0).name, people: named })),
  };
}

/** Checks the mentions of a comment before it is written (behaviour §10.21). */
const Input = z.strictObject({ workspaceId: Id, id: Id, body: z.string() });

/** Throws InvalidRequest if a name belongs to several users, or for too many people. Reveals nothing about users who can't be mentioned. */
export const checkMentions: Read<z.infer<typeof Input>, object> = {
  name: 'checkMentions',
  input: Input,
  async run(tx, caller, { workspaceId, id, body }) {
    const people = await readMentionable(tx, caller, workspaceId, id);
    const { ids, ambiguous } = mentionsIn(body, people);
    if (ids.length > MOST_MENTIONED)
      throw new InvalidRequest(['body'], `mentions ${ids.length} people. Mention at most ${MOST_MENTIONED}.`);
    const [first] = ambiguous;
    if (first) {
      const named = people.filter((one) => first.people.includes(one));
      throw new InvalidRequest(['body'], `mentions ${first.name}, but several people have this name. ${choiceOf(named)}`);
    }
    return {};
  },
};

const choiceOf = (people: readonly Mentionable[]): string =>
  `Write ${people.map(({ id, name, role }) => `@${name}#${id} (${role})`).join(' or ')}.`;
