/** GET /capacity, behaviour §5.1: the newest snapshot of the caller's scope, computed in advance by a worker (behaviour §6.24). */
import { z } from 'zod';
import { withoutSlot } from '../../access/throttle/concurrency.ts';
import type { Tx } from '../../database/db.ts';
import type { Listens } from '../../database/listen.ts';
import { TaggedJson } from '../../operations/json.ts';
import type { Read } from '../../operations/operation.ts';
import { CalendarDate } from '../../values/dates.ts';
import { Unavailable } from '../../values/errors.ts';
import { elementAt } from '../../values/records.ts';
import { isId } from '../../values/text.ts';
import type { Capacity } from '../schema.ts';
import { PIECES_AT_ONCE, SNAPSHOT_CHANNEL } from './computing/storeQueries.ts';
import { type Missing, readMorePieces, readSnapshot, recordReads, requestSnapshot, type Snapshot } from './queries.ts';

// Remembers which forecasts are read, so that workers renew them. Writes once every few minutes for a forecast, not once for each read.

/** Well below the 15 minutes after which a forecast counts as unread (renewQueries.ts). */
const NOTED_FOR_MS = 4 * 60_000;
const MOST = 10_000;

export class Readers {
  readonly #noted = new Map<number, number>();

  note(tx: Tx, forecastId: number): void {
    const now = performance.now();
    if (now - (this.#noted.get(forecastId) ?? Number.NEGATIVE_INFINITY) < NOTED_FOR_MS) return;
    if (this.#noted.size >= MOST) this.#noted.clear();
    this.#noted.set(forecastId, now);
    recordReads(tx, [forecastId]).catch(() => this.#noted.delete(forecastId));
  }
}

export const ScopeInput = z.strictObject({
  workspaceId: z
    .number({ error: 'give the id of a workspace, or 0 for all' })
    .refine((id) => id === 0 || isId(id), 'give the id of a workspace, or 0 for all')
    .default(0)
    .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'A workspace, or 0: all that you may oversee.' }),
  from: CalendarDate.refine((date) => date >= '1900' && date < '3000', 'give a date from 1900-01-01 to 2999-12-31')
    .optional()
    .meta({ format: 'date', description: 'Any day of the first of the eight weeks, from 1900-01-01 to 2999-12-31; today when left out.' }),
});

/** Requests a missing snapshot and repeats `look` until it is `wanted` or the time ends. Each `look` checks access again. */
export async function onceComputed<Found extends { forecastId: number } | Missing | null>(
  tx: Tx,
  look: () => Promise<Found>,
  listener: Listens,
  waitMs: number,
  wanted = (found: Found): boolean => !isMissing(found),
): Promise<Found> {
  const end = performance.now() + waitMs;
  let found = await look();
  let [about, forecastId] = ['', 0];
  for (;;) {
    if (found === null || wanted(found)) return found;
    // A page shows two forecasts, so the second may be missing when the first is there.
    if (aboutOf(found) !== about) forecastId = 'forecastId' in found ? found.forecastId : await requestSnapshot(tx, found);
    about = aboutOf(found);
    const waiting = await listener.listen(SNAPSHOT_CHANNEL, String(forecastId));
    try {
      found = await look();
      const left = end - performance.now();
      if (found === null || wanted(found) || left <= 0) return found;
      if (aboutOf(found) === about) await withoutSlot(waiting.within(left));
    } finally {
      waiting.end();
    }
  }
}

const aboutOf = (found: { forecastId: number } | Missing): string =>
  'forecastId' in found ? String(found.forecastId) : `${found.workspaceId} ${found.workspaceIds.join()} ${found.week}`;

export const isMissing = <Found extends object | null>(found: Found): found is Extract<Found, Missing> =>
  found !== null && 'workspaceIds' in found;

const WAIT_MS = 10_000;

export function getCapacity(listener: Listens, waitMs = WAIT_MS): Read<z.infer<typeof ScopeInput>, TaggedJson<Capacity>> {
  const readers = new Readers();
  return {
    name: 'getCapacity',
    input: ScopeInput,
    async run(tx, caller, input, known = []) {
      const snapshot = await onceComputed(tx, () => readSnapshot(tx, caller, { ...input, known }), listener, waitMs);
      if (isMissing(snapshot)) throw new Unavailable('The forecast is still being computed. Wait, then try again.');
      readers.note(tx, snapshot.forecastId);
      return answerOf(snapshot, (n) => readMorePieces(tx, caller, input.workspaceId, snapshot, n));
    },
  };
}

function answerOf({ tag, canManage, pieces }: Snapshot, read: (n: number) => Promise<string[]>): TaggedJson<Capacity> {
  if (!pieces) return new TaggedJson(tag, null);
  // The text begins with a brace and a property (json.ts).
  const begun = [`{"canManage":${canManage},${elementAt(pieces, 0).slice(1)}`, ...pieces.slice(1)];
  return new TaggedJson(tag, begun, pieces.length < PIECES_AT_ONCE ? null : remainingPieces(read));
}

async function* remainingPieces(read: (n: number) => Promise<string[]>): AsyncGenerator<string> {
  let more: string[];
  for (let n = PIECES_AT_ONCE; ; n += more.length) {
    more = await read(n);
    yield* more;
    if (more.length < PIECES_AT_ONCE) return;
  }
}
