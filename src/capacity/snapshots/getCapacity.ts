/** GET /capacity, behaviour §5.1: the newest snapshot of the caller's scope, computed ahead by a worker (behaviour §6.24). */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { Tx } from '../../database/db.ts';
import type { Listens } from '../../database/listen.ts';
import { TaggedJson } from '../../operations/json.ts';
import type { Read } from '../../operations/operation.ts';
import { CalendarDate } from '../../values/dates.ts';
import { Unavailable } from '../../values/errors.ts';
import { isId } from '../../values/text.ts';
import type { Capacity } from '../schema.ts';
import { PIECES_AT_ONCE, SNAPSHOT_CHANNEL } from './computing/storeQueries.ts';
import { askForSnapshot, type Question, readOn, readSnapshot, type Snapshot } from './queries.ts';
import { Readers } from './readers.ts';

const WAIT_MS = 10_000;

const Input = z.strictObject({
  workspaceId: z
    .number({ error: 'give the id of a workspace, or 0 for all' })
    .refine((id) => id === 0 || isId(id), 'give the id of a workspace, or 0 for all')
    .default(0)
    .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'A workspace, or 0: all that you may oversee.' }),
  from: CalendarDate.refine((date) => date >= '1900' && date < '3000', 'give a date from 1900-01-01 to 2999-12-31')
    .optional()
    .meta({ format: 'date', description: 'Any day of the first of the eight weeks; today when left out.' }),
});

/** `waitMs`: for how long a caller waits for a first snapshot. */
export function getCapacity(listener: Listens, waitMs = WAIT_MS): Read<z.infer<typeof Input>, TaggedJson<Capacity>> {
  const readers = new Readers();
  return {
    name: 'getCapacity',
    waits: true,
    input: Input,
    async run(tx, caller, input, known = []) {
      const snapshot = await newestSnapshot(tx, caller, { ...input, known }, listener, waitMs);
      readers.note(tx, snapshot.forecastId);
      return answerOf(snapshot, (n) => readOn(tx, caller, input.workspaceId, snapshot, n));
    },
  };
}

/** Has a missing one computed and waits for it. Access is decided again by each look. Throws Unavailable when it does not come in time. */
async function newestSnapshot(tx: Tx, caller: Caller, question: Question, listener: Listens, waitMs: number): Promise<Snapshot> {
  const end = performance.now() + waitMs;
  let found = await readSnapshot(tx, caller, question);
  if ('tag' in found) return found;
  const forecastId = await askForSnapshot(tx, found);
  for (;;) {
    const waiting = await listener.listen(SNAPSHOT_CHANNEL, String(forecastId));
    try {
      found = await readSnapshot(tx, caller, question);
      if ('tag' in found) return found;
      const left = end - performance.now();
      if (left <= 0) throw new Unavailable('The forecast is still being computed: wait and try again.');
      await waiting.within(left);
    } finally {
      waiting.end();
    }
  }
}

function answerOf({ tag, canManage, pieces }: Snapshot, read: (n: number) => Promise<string[]>): TaggedJson<Capacity> {
  if (!pieces) return new TaggedJson(tag, null);
  // The body begins with a brace and a property (json.ts).
  const begun = [`{"canManage":${canManage},${pieces[0]!.slice(1)}`, ...pieces.slice(1)];
  return new TaggedJson(tag, begun, pieces.length < PIECES_AT_ONCE ? null : restOf(read));
}

/** The pieces after the first ones. */
async function* restOf(read: (n: number) => Promise<string[]>): AsyncGenerator<string> {
  let more: string[];
  for (let n = PIECES_AT_ONCE; ; n += more.length) {
    more = await read(n);
    yield* more;
    if (more.length < PIECES_AT_ONCE) return;
  }
}
