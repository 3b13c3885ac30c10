/** The fields of work items (behaviour §4.2): the one table that all interfaces derive from. The key is the name in the API, for agents, in
 *  import files and in changes. A new field is an entry here and a column in a migration. */
import { z } from 'zod';
import { type ItemType, itemTypes } from '../access/rights.ts';
import { CalendarDate } from '../values/dates.ts';
import { keysOf } from '../values/records.ts';
import { Id, longest, Text } from '../values/text.ts';

export interface Field {
  /** Label on pages, without the unit. */
  label: string;
  /** The part of the form and of the properties. */
  group: 'Texts' | 'Status' | 'Dates and estimate' | 'Release' | 'RICE score' | 'Measure' | 'Links';
  /** The column of `items`: the name in snake case. */
  column: string;
  sql: 'text' | 'date' | 'double precision' | 'bigint';
  schema: z.ZodType;
  /** The item types that it applies to. */
  types: readonly ItemType[];
  unit?: 'h' | '%';
  /** For a link: the types of items that it may point to; `same`: the type of the item itself. */
  to?: readonly ItemType[] | 'same';
  /** True if rows of agents' lists have it. */
  inRows?: true;
  /** The item types whose lists show it as a column and whose CSV files contain it. */
  listed?: readonly ItemType[];
  /** Its name in addresses of lists sorted by it. */
  sort?: string;
  /** True if the forecast depends on it. */
  forecast?: true;
  /** True if an approval covers it. */
  approved?: true;
  /** Value in the examples of the API document. Unset: the example is empty. */
  example?: string | number;
}

type Entry = Omit<Field, 'column'>;

/** The database has the same limits (sql/0077_amounts.sql). Sums, products and quotients within them never overflow. */
function amount(min: number, max: number) {
  const message = `give a number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  return z
    .number({ error: message })
    .min(min, message)
    .max(max, message)
    .refine((value) => value === 0 || Math.abs(value) >= 1e-6, 'give 0, or at least 0.000001 in amount')
    .nullable();
}
export const Hours = amount(0, 1_000_000);
export const Percent = amount(0, 100);
const Quarter = z
  .string()
  .regex(/^\d{4}-Q[1-4]$/, 'give a quarter such as 2026-Q3')
  .nullable();

const line = { sql: 'text', schema: Text(0, longest.line).nullable() } as const;
const text = { sql: 'text', schema: Text(0, longest.text).nullable() } as const;
const date = { sql: 'date', schema: CalendarDate.nullable() } as const;
const hours = { sql: 'double precision', schema: Hours, unit: 'h' } as const;
const percent = { sql: 'double precision', schema: Percent, unit: '%' } as const;
const factor = { sql: 'double precision', schema: amount(0, 1e12) } as const;
const measured = { sql: 'double precision', schema: amount(-1e12, 1e12) } as const;
const id = { sql: 'bigint', schema: Id.nullable() } as const;

const state = { group: 'Status', types: itemTypes, inRows: true } as const;
const time = { group: 'Dates and estimate', types: itemTypes, inRows: true, forecast: true } as const;
const rice = { group: 'RICE score', types: ['requirement'] } as const;
const measure = { group: 'Measure', types: ['goal'] } as const;
const link = { ...id, group: 'Links', inRows: true, approved: true } as const;

const due = ['task', 'requirement', 'milestone'] as const;
const targeted = ['requirement', 'goal', 'release', 'milestone'] as const;

const table = {
  acceptance: {
    ...text,
    label: 'Acceptance criteria',
    group: 'Texts',
    types: ['task', 'requirement'],
    approved: true,
    example: 'A link that is older than one hour is refused.',
  },
  statusKey: { ...line, ...state, label: 'Status', sort: 'status', example: 'in_progress' },
  blockedReason: { ...line, ...state, label: 'Reason for the block' },
  priorityKey: { ...line, ...state, label: 'Priority', forecast: true, sort: 'priority', example: 'high' },
  assigneeId: { ...id, ...state, label: 'Assignee', forecast: true, sort: 'assignee', example: 3 },
  startDate: { ...date, ...time, label: 'Start date', example: '2026-04-13' },
  dueDate: { ...date, ...time, label: 'Due date', types: due, approved: true, listed: due, sort: 'due', example: '2026-04-17' },
  targetDate: { ...date, ...time, label: 'Target date', types: targeted, approved: true, listed: targeted, sort: 'target' },
  actualDate: { ...date, label: 'Actual date', group: 'Dates and estimate', types: ['goal', 'release', 'milestone'] },
  estimatedHours: { ...hours, ...time, label: 'Estimate', listed: ['task'], sort: 'estimate', example: 12 },
  progressPercent: { ...percent, ...time, label: 'Progress', listed: ['task'], sort: 'progress', example: 25 },
  versionLabel: { ...line, label: 'Version', group: 'Release', types: ['release'], listed: ['release'], sort: 'version' },
  reach: { ...factor, ...rice, label: 'Reach' },
  reachPeriod: { ...rice, label: 'Reach period', sql: 'text', schema: Quarter },
  impact: { ...factor, ...rice, label: 'Impact' },
  confidence: { ...percent, ...rice, label: 'Confidence' },
  effort: { ...factor, ...rice, label: 'Effort' },
  level: { ...line, ...measure, label: 'Level' },
  current: { ...measured, ...measure, label: 'Current', listed: ['goal'], sort: 'current' },
  target: { ...measured, ...measure, label: 'Target', listed: ['goal'], approved: true },
  unit: { ...line, ...measure, label: 'Unit', listed: ['goal'] },
  parentId: { ...link, label: 'Parent', types: ['requirement', 'goal'], to: 'same', forecast: true },
  parentItemId: { ...link, label: 'Parent task or milestone', types: ['task'], to: ['task', 'milestone'], forecast: true },
  requirementId: { ...link, label: 'Requirement', types: ['task', 'milestone'], to: ['requirement'], forecast: true, example: 17 },
  releaseId: { ...link, label: 'Release', types: ['task', 'requirement', 'milestone'], to: ['release'], forecast: true },
  goalId: { ...link, label: 'Goal', types: ['task', 'requirement', 'release', 'milestone'], to: ['goal'] },
} as const satisfies Record<string, Entry>;

type Table = typeof table;
export type FieldName = keyof Table;
export type NamesWith<Property extends keyof Field> = {
  [Name in FieldName]: Table[Name] extends Record<Property, unknown> ? Name : never;
}[FieldName];

/** In the order of forms, answers and history lines. `assigneeName` comes from the user and has no column. */
export const fields = Object.fromEntries(
  Object.entries<Entry>(table).map(([name, entry]) => [
    name,
    { ...entry, column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) },
  ]),
) as { readonly [Name in FieldName]: Field & Pick<Table[Name], Extract<keyof Table[Name], 'schema' | 'sort' | 'to'>> };
export const fieldNames = keysOf(fields);

/** The names of the fields that have this property. */
export const fieldsWith = <Property extends keyof Field>(property: Property): NamesWith<Property>[] =>
  fieldNames.filter((name): name is NamesWith<Property> => fields[name][property] !== undefined);

export type LinkName = NamesWith<'to'>;
export const linkNames = fieldsWith('to');
export const isLink = (name: string): name is LinkName => linkNames.some((one) => one === name);

/** Dates that a plan moves. The actual date is a record. */
export const dateNames = ['startDate', 'dueDate', 'targetDate'] as const;

/** The fields that lists of this type show. */
export const listedIn = (type: ItemType): NamesWith<'listed'>[] =>
  fieldsWith('listed').filter((name) => fields[name].listed?.includes(type));

export type Sort = Extract<Table[FieldName], { sort: string }>['sort'];
export const sorts = fieldsWith('sort').map((name): Sort => fields[name].sort);

/** The types of items that this link of an item of `type` may point to. */
export function linkTargets(name: LinkName, type: ItemType): readonly ItemType[] {
  const { to } = fields[name];
  return to === 'same' ? [type] : to;
}

export function applies(name: FieldName, type: ItemType): boolean {
  return fields[name].types.includes(type);
}
