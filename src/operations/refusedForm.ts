/** What is kept of a form that was refused. */
import type { ErrorDetails, Path } from '../values/errors.ts';

export type Values = Record<string, string | string[]>;

export interface Stored {
  code: 'invalid_request' | 'conflict';
  message: string;
  details: ErrorDetails;
  faults: { path: Path; whatToDo: string }[];
}
