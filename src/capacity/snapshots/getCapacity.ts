/** GET /capacity, behaviour §5.1: the newest snapshot of the caller's scope, computed in advance by a worker (behaviour §6.24). */
import type { z } from 'zod';
import type { Listens } from '../../database/listen.ts';
import { TaggedJson } from '../../operations/json.ts';
import type { Read } from '../../operations/operation.ts';
import { Unavailable } from '../../values/errors.ts';
import type { Capacity } from '../schema.ts';
import { PIECES_AT_ONCE } from './computing/storeQueries.ts';
import { readOn, readSnapshot, type Snapshot } from './queries.ts';
import { Readers } from './readers.ts';
import { ScopeInput } from './scopeInput.ts';
import { isMissing, onceComputed } from './wait.ts';

const WAIT_MS = 10_000;

export function getCapacity(listener: Listens, waitMs = WAIT_MS): Read<z.infer<typeof ScopeInput>, TaggedJson<Capacity>> {
  const readers = new Readers();
  return {
    name: 'getCapacity',
    waits: true,
    input: ScopeInput,
    async run(tx, caller, input, known = []) {
      const snapshot = await onceComputed(tx, () => readSnapshot(tx, caller, { ...input, known }), listener, waitMs);
      if (isMissing(snapshot)) throw new Unavailable('The forecast is still being computed. Wait, then try again.');
      readers.note(tx, snapshot.forecastId);
      return answerOf(snapshot, (n) => readOn(tx, caller, input.workspaceId, snapshot, n));
    },
  };
}

function answerOf({ tag, canManage, pieces }: Snapshot, read: (n: number) => Promise<string[]>): TaggedJson<Capacity> {
  if (!pieces) return new TaggedJson(tag, null);
  // The text begins with a brace and a property (json.ts).
  const begun = [`{"canManage":${canManage},${pieces[0]!.slice(1)}`, ...pieces.slice(1)];
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
