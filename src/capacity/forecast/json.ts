/** The second pass: a forecast as JSON text, piece by piece, without ever holding it whole. */
import type { ComputedForecast } from './computed.ts';
import { Pacer, type Pause } from './slices.ts';

/** Reads tasks again, at most 1,000: for each id, in the order given, the text of its `WorkRow`, which the database can make and nobody
 *  needs to parse. Every one must come back. */
export type FetchWork = (ids: number[]) => Promise<readonly string[]>;

const FETCHED_AT_ONCE = 1000;
/** Characters of a piece, about. */
const PIECE_LENGTH = 1 << 16;

/** Pieces of the `Forecast` object (schema.ts). The text begins with `{"workspaceId":`, so that a reader can splice `"canManage":…,` in
 *  behind the first brace. `pause` is called whenever the event loop was held for about 8 ms. */
export async function* forecastJson(computed: ComputedForecast, fetchWork: FetchWork, pause?: Pause): AsyncGenerator<string> {
  const pacer = new Pacer(pause);
  const parts = partsOf(computed);
  let piece: string[] = [];
  let length = 0;
  for (let part = parts.next([]); !part.done; ) {
    if (typeof part.value === 'object') {
      part = parts.next(await fetchWork(part.value));
      continue;
    }
    piece.push(part.value);
    length += part.value.length;
    part = parts.next([]);
    if (length < PIECE_LENGTH) continue;
    yield piece.join('');
    [piece, length] = [[], 0];
    if (pacer.due) await pacer.pause();
  }
  yield piece.join('');
}

/** The same text in one go, for small scopes. */
export function forecastJsonAtOnce(computed: ComputedForecast, fetchWork: (ids: number[]) => readonly string[]): string {
  const parts = partsOf(computed);
  let text = '';
  for (let part = parts.next([]); !part.done; ) {
    if (typeof part.value === 'string') text += part.value;
    part = parts.next(typeof part.value === 'string' ? [] : fetchWork(part.value));
  }
  return text;
}

/** Yields text, or the ids of tasks that are to be handed in at the next step. */
function* partsOf(computed: ComputedForecast): Generator<string | number[], void, readonly string[]> {
  yield `${JSON.stringify(computed.head).slice(0, -1)},"projects":[`;
  let texts: readonly string[] = [];
  for (let n = 0; n < computed.projectCount; n++) {
    yield `${n > 0 ? ',' : ''}${JSON.stringify(computed.projectHead(n)).slice(0, -1)},"work":[`;
    const [from, to] = computed.slotsOf(n);
    for (let slot = from; slot < to; slot++) {
      // Slots run on through all projects, so that many small ones share a reading.
      if (slot % FETCHED_AT_ONCE === 0) {
        const ids = computed.idsFrom(slot, FETCHED_AT_ONCE);
        texts = allOf(ids, yield ids);
      }
      const text = texts[slot % FETCHED_AT_ONCE]!;
      yield `${slot > from ? ',' : ''}${text.slice(0, -1)},${JSON.stringify(computed.workForecast(slot)).slice(1)}`;
    }
    yield ']}';
  }
  let separator = '],"people":[';
  for (const person of computed.people()) {
    yield separator + JSON.stringify(person);
    separator = ',';
  }
  yield separator === ',' ? ']}' : `${separator}]}`;
}

function allOf(ids: readonly number[], texts: readonly string[]): readonly string[] {
  if (texts.length !== ids.length)
    throw new Error(
      `${ids.length - texts.length} tasks did not come back in the second pass: read both passes in one snapshot of the database.`,
    );
  return texts;
}
