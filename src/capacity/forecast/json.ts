/** The second pass: a forecast as JSON text, piece by piece, without ever holding it whole. Pure: the caller reads the tasks' titles. */
import type { ComputedForecast } from './computed.ts';

const READ_AT_ONCE = 1000;

/** The text of the `Forecast` object (schema.ts), some characters at a time. Instead of text it may give the ids of tasks, at most 1,000,
 *  each task once: the next call hands in for each id, in that order, the text of its `WorkRow`, which the database can make and nobody
 *  needs to parse. The text begins with `{"workspaceId":`, so that a reader can splice `"canManage":…,` in behind the first brace. */
export function* forecastJson(computed: ComputedForecast): Generator<string | number[], void, readonly string[]> {
  yield `${JSON.stringify(computed.head).slice(0, -1)},"projects":[`;
  let texts: readonly string[] = [];
  for (let n = 0; n < computed.projectCount; n++) {
    yield `${n > 0 ? ',' : ''}${JSON.stringify(computed.projectHead(n)).slice(0, -1)},"work":[`;
    const [from, to] = computed.slotsOf(n);
    for (let slot = from; slot < to; slot++) {
      // Slots run on through all projects, so that many small ones share a reading.
      if (slot % READ_AT_ONCE === 0) {
        const ids = computed.idsFrom(slot, READ_AT_ONCE);
        texts = allOf(ids, yield ids);
      }
      const text = texts[slot % READ_AT_ONCE]!;
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
