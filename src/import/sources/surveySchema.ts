/** Result of the first pass over a file. Later readings need no other pass. Stored with an import. */
import { z } from 'zod';
import { keysOf } from '../../values/records.ts';
import { sourceFields } from './map.ts';
import { formats } from './source.ts';

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export const SurveyColumn = z.strictObject({
  name: z.string(),
  field: z.enum(keysOf(sourceFields)).nullable().meta({ description: 'Null: no field takes it; the report counts its values as lost.' }),
  /** Rows with a value. */
  count: z.int(),
  /** The first values, shortened. */
  samples: z.array(z.string()),
  dates: z.enum(['day-month', 'month-day']).nullable(),
  /** No date, or not every date, fits only one order. */
  ambiguous: z.boolean().default(false),
  decimals: z.enum(['point', 'comma']).nullable(),
});
export type SurveyColumn = z.infer<typeof SurveyColumn>;

export const Survey = z.strictObject({
  format: z.enum(formats),
  encoding: z.enum(encodings),
  delimiter: z.string().nullable(),
  /** Rows of a CSV file without the header; 0 for JSON. */
  rows: z.int(),
  /** About the file as a whole, for the report. */
  notes: z.array(z.string()),
  /** Jira: ids of people, which comments have instead of names. */
  people: z.array(z.tuple([z.string(), z.string()])),
  /** CSV: one entry for each name, even if the header repeats it. Trello: the board's own fields. */
  columns: z.array(SurveyColumn),
});
export type Survey = z.infer<typeof Survey>;
