/** Error messages for database errors, and the path of a fault in the input. */
import { AppError, InvalidRequest, type Path, Unavailable } from '../values/errors.ts';
import { type LimitName, limitReached } from './limits.ts';

const mebibytes = (bytes: string) => `${(Math.ceil((Number(bytes) / 1024 / 1024) * 10) / 10).toFixed(1)} MiB`;

const refuseCharacter = () => new InvalidRequest([], 'The text contains a character that cannot be stored. Remove it.');

/** Messages for database errors (0004_items.sql, 0032_note_quotas.sql and 0130_limits.sql in sql raise the ST codes). */
const refusals: Record<string, (field: string, detail: string) => AppError> = {
  ST001: () => new InvalidRequest(['fields'], 'a link points at an item of the wrong type; read that item again.'),
  ST002: (field) => new InvalidRequest(['fields', field], 'would form a cycle; link to an item that is not below this one.'),
  ST003: (field) => new InvalidRequest(['fields', field], 'links can be at most 100 levels deep; link to an item further up.'),
  ST004: (_, used) =>
    new InvalidRequest([], `Your personal notes take ${mebibytes(used)} of the allowed 100 MiB. Shorten or delete some, then try again.`),
  ST005: (_, used) =>
    new InvalidRequest([], `The files of your notes take ${mebibytes(used)} of the allowed 500 MiB. Delete some, then try again.`),
  ST006: (name) => limitReached(name as LimitName),
  '22021': refuseCharacter,
  '22P05': refuseCharacter,
  '55P03': () => new Unavailable('Another request is changing the same data. Wait a moment, then try again.', 1),
};

interface Placing<Input> {
  name: string;
  faultsAt?: Path;
  placeOf?(input: Input, itemId: number): Path | undefined;
}

export function refusalOf<Input>({ faultsAt, placeOf }: Placing<Input>, error: unknown, input: Input): AppError {
  const refusal = asAppError(error);
  const item = sqlState(error)?.startsWith('ST') ? Number(databaseText(error, 'detail')) : 0;
  const at = item && placeOf ? placeOf(input, item) : faultsAt;
  return refusal instanceof InvalidRequest && at ? refusal.inside(at) : refusal;
}

export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = refusals[sqlState(error) ?? ''];
  if (known) return known(databaseText(error, 'column') ?? '', databaseText(error, 'detail') ?? '');
  const tooSlow = sqlState(error) === '57014';
  const unforeseen = new Unavailable(tooSlow ? 'This took too long and was stopped. Narrow the filter, then try again.' : undefined);
  unforeseen.cause = error;
  return unforeseen;
}

/** The SQLSTATE of a database error, even if slonik wrapped it. */
export const sqlState = (error: unknown): string | undefined => databaseText(error, 'code');

function databaseText(error: unknown, name: 'code' | 'column' | 'detail'): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const value: unknown = Reflect.get(at, name);
    if (typeof value === 'string') return value;
  }
  return undefined;
}
