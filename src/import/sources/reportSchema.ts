/** The report of an import: kept, changed and lost values. Shown before anything is written, and stored (behaviour §36.3). */
import { z } from 'zod';
import { formats } from './source.ts';

const Count = z.int().min(0);
const Keys = z.array(z.string()).meta({ description: 'Keys of up to five issues.' });
const how = ['mapped', 'matched', 'nearest', 'created'] as const;

/** Lists have at most 500 entries, the most frequent first; `more` counts the others. */
const listOf = <Entry extends z.ZodType>(entry: Entry) => z.strictObject({ entries: z.array(entry), more: Count });

export const Report = z.strictObject({
  format: z.enum(formats),
  /** About the file as a whole: encoding, delimiter, the order of days and months in a column. */
  file: z.array(z.string()),
  issues: Count,
  comments: Count,
  kept: listOf(z.strictObject({ what: z.string(), count: Count })),
  changed: listOf(z.strictObject({ what: z.string(), reason: z.string(), count: Count, keys: Keys })),
  /** Columns with values that no field takes. */
  lost: listOf(z.strictObject({ column: z.string(), count: Count, keys: Keys })),
  people: listOf(
    z.strictObject({
      name: z.string(),
      mail: z.string().nullable(),
      count: Count,
      as: z.enum(['member', 'invited', 'unassigned', 'named']).meta({
        description: 'named: not a member, only an author or reporter; the text names the person.',
      }),
      member: z.string().nullable().meta({ description: 'Name of the member, or email address of the person to invite.' }),
    }),
  ),
  statuses: listOf(z.strictObject({ name: z.string(), count: Count, key: z.string(), label: z.string(), how: z.enum(how) })),
  priorities: listOf(z.strictObject({ name: z.string(), count: Count, key: z.string(), label: z.string(), how: z.enum(how) })),
  labels: listOf(z.strictObject({ name: z.string(), count: Count, how: z.enum(['matched', 'created']) })),
  types: listOf(z.strictObject({ name: z.string(), count: Count, as: z.string(), label: z.string().nullable() })),
  sprints: listOf(z.strictObject({ name: z.string(), count: Count, as: z.enum(['label', 'milestone', 'lost']) })),
  milestones: listOf(z.strictObject({ name: z.string(), count: Count, as: z.enum(['milestone', 'release', 'label', 'lost']) })),
  points: z.strictObject({ issues: Count, points: z.number(), hoursPerPoint: z.number(), hours: z.number() }).nullable(),
  /** Sub-tasks with a parent, and "blocked by". */
  parents: Count,
  dependencies: Count,
  skipped: z.strictObject({ count: Count, reasons: z.array(z.string()) }),
  refused: z.strictObject({
    count: Count,
    /** The first 1,000. */
    rows: z.array(z.strictObject({ line: Count, key: z.string().nullable(), reason: z.string() })),
  }),
});
export type Report = z.infer<typeof Report>;
