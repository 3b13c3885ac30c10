/** Types and limits of imports of other services' files (behaviour §36.20). */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { ImportMap } from '../sources/map.ts';
import type { Container, PlannedItem } from '../sources/planned.ts';
import { formats } from '../sources/source.ts';
import { Survey } from '../sources/surveySchema.ts';

/** `reading`: a worker prepares the report. `running` and `undoing`: a worker writes. */
export const importStates = ['reading', 'ready', 'unreadable', 'running', 'stopped', 'done', 'undoing', 'undone'] as const;

/** A run as the worker reads it. */
export const Run = z.object({
  id: z.number(),
  accountId: z.number(),
  workspaceId: z.number(),
  userId: z.number(),
  source: z.enum(formats),
  state: z.enum(importStates),
  blobId: z.number().nullable(),
  fileSize: z.number(),
  map: ImportMap,
  survey: Survey.nullable(),
  revision: z.number(),
  /** Rows of the file that are staged; null once all are. */
  staged: z.number().nullable(),
  done: z.number(),
});
export type Run = z.infer<typeof Run>;

export type RunCaller = Caller & { kind: 'user' };

/** The person who started or resumed the run. */
export const callerOf = ({ userId }: Pick<Run, 'userId'>): RunCaller => ({ kind: 'user', userId, over: 'import' });

/** False if the keys of the rows are only their numbers in this file. */
export const hasKeys = ({ survey }: Run): boolean => !survey?.columns.length || survey.columns.some(({ field }) => field === 'key');

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  comments: number;
}
export const noCounts: Counts = { created: 0, updated: 0, unchanged: 0, refused: 0, comments: 0 };

/** A link to an earlier row of the file, after cycles are removed. */
export interface RowLinks {
  parent: string | null;
  blockedBy: string[];
}

export interface NewRow {
  n: number;
  line: number | null;
  key: string | null;
  kind: 'issue' | 'container' | 'links';
  planned?: PlannedItem | Container | { blockedBy: string[] };
  problem?: string;
}

/** Documented in docs/import.md. Larger files are imported in parts. */
export const MOST_ROWS = 100_000;
export const MOST_FILE_BYTES = 100 * 1024 * 1024;
