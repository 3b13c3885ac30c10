/** Parses work from one line: `Paint the deck #24 4h friday @cleo !high ~bug` (behaviour §19.9). Pure. All other words are the title. */
import type { ItemType } from '../access/rights.ts';
import { keysOf } from '../values/records.ts';
import { dayIn } from '../values/writtenDays.ts';
import { applies, type LinkName, linkNames, linkTargets } from './fields.ts';

export interface QuickContext {
  today: string;
  me: number;
  people: readonly { id: number; name: string }[];
  priorities: readonly { key: string; label: string }[];
  labels?: readonly { id: number; name: string }[];
}

export interface QuickLine {
  title: string;
  below?: number;
  estimatedHours?: number;
  day?: string;
  personId?: number;
  priorityKey?: string;
  /** Each label once, with its word as typed. */
  labels?: { id: number; word: string }[];
  faults: string[];
  /** Each `@name` without a matching user, and each `~label` without a matching label. */
  unmatched: string[];
  /** The words of each meaning, as typed. */
  words: Partial<Record<Meant, string>>;
}

type Meant = 'below' | 'estimatedHours' | 'day' | 'personId' | 'priorityKey';

interface Word {
  text: string;
  quoted: boolean;
}

/** Splits into words; text in double quotes is one word, also after `~`. An unclosed quote is an ordinary character. */
export function wordsOf(line: string): Word[] {
  return [...line.matchAll(/~"[^"]*"(?=\s|$)|"([^"]*)"(?=\s|$)|\S+/g)].map(([text, quoted]) => ({
    text: quoted ?? text,
    quoted: quoted !== undefined,
  }));
}

/** The numbers after `#`, to look up before parsing. The new work is added below the first. */
export const numbersIn = (line: string): number[] => wordsOf(line).flatMap(({ text, quoted }) => (quoted ? [] : (numberOf(text) ?? [])));

/** Returns 0 for `#0`, which is not an item number. */
function numberOf(text: string): number | null {
  const digits = /^#(0|[1-9]\d{0,14})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

type Meaning = Partial<Pick<QuickLine, Meant>> & { labelId?: number; fault?: string; unmatched?: true };

function meaningOf(text: string, around: QuickContext): Meaning | null {
  const below = numberOf(text);
  if (below !== null) return { below };
  const hours = hoursOf(text);
  if (hours !== null) return { estimatedHours: hours };
  if (text.startsWith('@') && text.length > 1) return personOf(text.slice(1), around);
  if (text.startsWith('!') && text.length > 1) return priorityOf(text.slice(1), around);
  const label = labelName(text);
  if (label !== null) {
    const found = named(text, label, around.labels ?? []);
    return 'id' in found ? { labelId: found.id } : found;
  }
  return null;
}

function hoursOf(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,4}(?:[.,]\d{1,2})?)(h|m|min)$/i.exec(text) ?? [];
  if (amount === undefined) return null;
  const number = Number(amount.replace(',', '.'));
  const hours = unit.toLowerCase() === 'h' ? number : Math.round((number / 60) * 100) / 100;
  return hours > 0 ? hours : null;
}

const plain = (text: string) => text.normalize('NFKC').toLocaleLowerCase('en');

const compact = (text: string) => plain(text).replaceAll(/\s/g, '');

function personOf(asked: string, { people, me }: QuickContext): Meaning | null {
  if (plain(asked) === 'me') return { personId: me };
  const found = named(`@${asked}`, asked, people);
  return 'id' in found ? { personId: found.id } : found;
}

/** The name in `~bug` or `~"two words"`. Null for other uses of the sign, such as `~20` and `~/bin`. */
export const labelName = (text: string): string | null => {
  const [, quoted, bare] = /^~(?:"([^"]+)"|(\p{L}.*))$/u.exec(text) ?? [];
  return (quoted ?? bare)?.trim() || null;
};

/** Matches the beginning of any part of a name. The whole name takes precedence, then a complete part. */
function named(
  text: string,
  asked: string,
  among: readonly { id: number; name: string }[],
): { id: number } | { fault: string } | { unmatched: true } {
  const wanted = compact(asked);
  const names = among.map(({ id, name }) => ({ id, name, words: plain(name).split(/[\s-]+/), whole: compact(name) }));
  const found =
    [
      names.filter(({ name }) => plain(name) === plain(asked)),
      names.filter(({ whole }) => whole === wanted),
      names.filter(({ words }) => words.includes(wanted)),
      names.filter(({ whole, words }) => [whole, ...words].some((word) => word.startsWith(wanted))),
    ].find(({ length }) => length > 0) ?? [];
  const [first] = found;
  if (!first) return { unmatched: true };
  if (found.length === 1) return { id: first.id };
  const few = found.slice(0, 3).map(({ name }) => name);
  return { fault: `${text} could be ${few.join(' or ')}${found.length > 3 ? ' or others' : ''}: write more of the name.` };
}

function priorityOf(asked: string, { priorities }: QuickContext): Meaning | null {
  const wanted = plain(asked);
  const found = priorities.find(({ key, label }) => plain(key) === wanted || plain(label).replaceAll(/\s/g, '') === wanted);
  return found ? { priorityKey: found.key } : null;
}

const MOST_WORDS_OF_A_DAY = 3;
/** `sun`, `wed` and other short day names are more often ordinary words in titles. */
const isShortName = (text: string) => /^(mon|tues?|wed|thu(rs?)?|fri|sat|sun)$/i.test(text);

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

/** The date that begins at this word; tries the longest phrase first. */
function dayAt(words: readonly Word[], from: number, today: string): { day: string; length: number } | null {
  for (let length = Math.min(MOST_WORDS_OF_A_DAY, words.length - from); length > 0; length--) {
    const part = words.slice(from, from + length);
    if (part.some(({ quoted }) => quoted)) continue;
    const text = textOf(part);
    const day = length === 1 && isShortName(text) ? null : dayIn(text, { today, past: false });
    if (day !== null) return { day, length };
  }
  return null;
}

/** If two words have the same kind of meaning, the first counts and the other stays in the title. All labels count. */
export function parseQuickAdd(line: string, around: QuickContext): QuickLine {
  const words = wordsOf(line);
  const title: string[] = [];
  const found: Meaning = {};
  const spoken: QuickLine['words'] = {};
  const labels = new Map<number, string>();
  const [faults, unmatched]: [string[], string[]] = [[], []];
  let taken = 0;
  for (const [at, { text, quoted }] of words.entries()) {
    if (at < taken) continue;
    const day = found.day === undefined && !quoted ? dayAt(words, at, around.today) : null;
    if (day) {
      found.day = day.day;
      spoken.day = textOf(words.slice(at, at + day.length));
      taken = at + day.length;
      continue;
    }
    const understood: Meaning = (quoted ? null : meaningOf(text, around)) ?? {};
    const { fault, unmatched: none, labelId, ...meaning } = understood;
    if (labelId !== undefined) {
      if (!labels.has(labelId)) labels.set(labelId, text);
      continue;
    }
    const [name] = keysOf(meaning);
    if (fault && (found.personId === undefined || text.startsWith('~'))) faults.push(fault);
    if (none) unmatched.push(text);
    if (name !== undefined && found[name] === undefined) {
      Object.assign(found, meaning);
      spoken[name] = text;
    } else title.push(text);
  }
  const labelled = labels.size > 0 && { labels: [...labels].map(([id, word]) => ({ id, word })) };
  return { ...found, ...labelled, title: title.join(' ').trim(), faults, unmatched, words: spoken };
}

export const linkTo = (type: ItemType, target: ItemType): LinkName | null =>
  linkNames.find((name) => applies(name, type) && linkTargets(name, type).includes(target)) ?? null;
