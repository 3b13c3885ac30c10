/** Shared by the readers of JSON exports: schemas of values, and names of values that no field takes. */
import { z } from 'zod';
import { InvalidRequest } from '../../values/errors.ts';
import { release } from '../../values/lazy.ts';
import { elementAt } from '../../values/records.ts';
import { integers } from '../numbers.ts';
import type { SourceIssue, SourceRow } from './source.ts';
import { cleanLine, cleanText, nameOf } from './texts.ts';

export const line = z
  .string()
  .transform((text) => cleanLine(text, Number.POSITIVE_INFINITY))
  .catch('');
export const name = z.string().transform((text) => nameOf(text));
export const nameLine = name.catch('');
/** Names one of the file's entries for the others. */
export const reference = (max: number) => z.string().min(1).max(max).transform(cleanText).pipe(z.string().min(1));
export const body = z.string().transform(cleanText).catch('');
/** A value of the wrong kind counts as none: exports differ between versions. */
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);
export const listOf = <T extends z.ZodType>(schema: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((one) => schema.safeParse(one).data ?? []));
export const instant = orNull(
  z
    .string()
    .transform((text) => new Date(text))
    .refine((date) => !Number.isNaN(date.getTime()) && date.getTime() > 0)
    .transform((date) => date.toISOString()),
);
export const day = instant.transform((moment) => moment?.slice(0, 10) ?? null);

export const emptyIssue: Omit<SourceIssue, 'key' | 'title'> = {
  aliases: [],
  url: null,
  description: '',
  type: null,
  status: null,
  priority: null,
  closed: null,
  labels: [],
  points: null,
  estimateHours: null,
  assignee: null,
  reporter: null,
  createdAt: null,
  closedAt: null,
  startDate: null,
  dueDate: null,
  parentKey: null,
  blockedBy: [],
  blocks: [],
  sprints: [],
  milestones: [],
  milestoneType: 'milestone',
  archived: false,
  comments: [],
  attachments: [],
  fields: {},
  other: [],
  changed: [],
};

const MOST_OTHERS = 1_000;

/** Names of properties that are neither known nor empty; the first 1,000. */
export function othersOf(value: object, known: ReadonlySet<string>): string[] {
  const others = Object.entries(value).flatMap(([property, one]) => (known.has(property) || isEmpty(one) ? [] : [property]));
  return others.slice(0, MOST_OTHERS).map((property) => nameOf(property));
}

const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.values(value).every(isEmpty));

export const refusedEntry = (at: number, key: string | null, refused: string): SourceRow => ({ line: at, key, refused });

/** Why a row is refused whose key an earlier row has. */
export const repeatedIn = (line: number): string => `its key is also used in line ${line}`;

const BLOCK_BYTES = 1024 * 1024;

/** Values of a file by key, limited in all. They are stored as JSON outside of V8's heap, which otherwise grows to several times that size. */
export class Collected<Value> {
  /** The number of the last value of each key, from 1. */
  readonly #last = new Map<string, number>();
  /** By number: the previous value of its key or 0, its block, where it starts and ends there. */
  readonly #previous = integers(0);
  readonly #block = integers(0);
  readonly #start = integers(0);
  readonly #end = integers(0);
  readonly #blocks: Buffer[] = [];
  readonly #tooMany: string;
  #characters = 0;

  /** `tooMany`: the message beyond 64 Mi characters. */
  constructor(tooMany: string) {
    this.#tooMany = tooMany;
  }

  /** Throws InvalidRequest beyond the limit. */
  add(key: string, value: Value, characters: number): void {
    this.#characters += characters + 100;
    if (this.#characters > 64 * 1024 * 1024) throw new InvalidRequest([], this.#tooMany);
    this.#previous.push(this.#last.get(key) ?? 0);
    this.#last.set(key, this.#end.length);
    this.#store(Buffer.from(JSON.stringify(value)));
  }

  /** The values of a key, once: a file that repeats a key must not cost its values each time. */
  take(key: string): Value[] {
    const found: Value[] = [];
    for (let n = this.#last.get(key) ?? 0; n > 0; n = this.#previous.at(n)) {
      const block = elementAt(this.#blocks, this.#block.at(n));
      found.push(JSON.parse(block.toString('utf8', this.#start.at(n), this.#end.at(n))));
    }
    this.#last.delete(key);
    return found.reverse();
  }

  /** Frees the memory immediately. No value can be read afterwards. */
  free(): void {
    for (const block of this.#blocks) release(block);
  }

  #store(bytes: Buffer): void {
    let block = this.#blocks.at(-1);
    let start = this.#end.at(this.#end.length - 1);
    if (!block || start + bytes.length > block.length) {
      block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes.length));
      this.#blocks.push(block);
      start = 0;
    }
    bytes.copy(block, start);
    this.#block.push(this.#blocks.length - 1);
    this.#start.push(start);
    this.#end.push(start + bytes.length);
  }
}
