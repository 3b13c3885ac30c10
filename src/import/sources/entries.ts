/** Shared by the readers of JSON exports: schemas of values, and names of values that no field takes. */
import { z } from 'zod';
import { InvalidRequest } from '../../values/errors.ts';
import type { SourceIssue, SourceRow } from './source.ts';
import { cleanLine, cleanText } from './texts.ts';

export const line = z
  .string()
  .transform((text) => cleanLine(text, Number.POSITIVE_INFINITY))
  .catch('');
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

/** Names of properties that are neither known nor empty. */
export function othersOf(value: object, known: ReadonlySet<string>): string[] {
  return Object.entries(value).flatMap(([name, one]) => (known.has(name) || isEmpty(one) ? [] : [name]));
}

const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.values(value).every(isEmpty));

export const refusedEntry = (at: number, key: string | null, refused: string): SourceRow => ({ line: at, key, refused });

const BLOCK_BYTES = 1024 * 1024;

/** Values of a file by key, limited in all. They are kept as JSON outside of V8's heap, which otherwise grows to several times their size. */
export class Collected<Value> {
  /** For each value: its block, where it starts, where it ends. */
  readonly #places = new Map<string, number[]>();
  readonly #blocks: Buffer[] = [];
  #used = 0;
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
    const place = this.#store(Buffer.from(JSON.stringify(value)));
    const places = this.#places.get(key);
    if (places) places.push(...place);
    else this.#places.set(key, place);
  }

  of(key: string): readonly Value[] {
    const places = this.#places.get(key) ?? [];
    return Array.from({ length: places.length / 3 }, (_, n): Value => {
      const [block, start, end] = places.slice(n * 3);
      return JSON.parse(this.#blocks[block!]!.toString('utf8', start, end));
    });
  }

  #store(bytes: Buffer): number[] {
    let block = this.#blocks.at(-1);
    if (!block || this.#used + bytes.length > block.length) {
      block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, bytes.length));
      this.#blocks.push(block);
      this.#used = 0;
    }
    bytes.copy(block, this.#used);
    this.#used += bytes.length;
    return [this.#blocks.length - 1, this.#used - bytes.length, this.#used];
  }
}
