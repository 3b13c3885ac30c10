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

/** Values of a file by key, limited in all, because they are held in memory. */
export class Collected<Value> {
  readonly #byKey = new Map<string, Value[]>();
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
    const list = this.#byKey.get(key);
    if (list) list.push(value);
    else this.#byKey.set(key, [value]);
  }

  of(key: string): readonly Value[] {
    return this.#byKey.get(key) ?? [];
  }
}
