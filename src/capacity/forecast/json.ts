/** The second pass: writes a forecast as JSON text in pieces, so memory never holds the whole text. Pure: the caller reads the titles. */
import { elementAt } from '../../values/records.ts';
import type { ComputedForecast } from './computed.ts';

const READ_AT_ONCE = 1000;

/** Yields text of a `Forecast`, or up to 1,000 task ids: then pass the JSON of each id's `WorkRow`, in that order, to the next call. The
 *  text begins with `{"workspaceId":`, so that `"canManage":…,` can be inserted after the first brace. Calls `atProject` where the text of
 *  the n-th project begins and ends. */
export function* forecastJson(
  computed: ComputedForecast,
  atProject: (n: number, edge: 'begins' | 'ends') => void = () => {},
): Generator<string | number[], void, readonly string[]> {
  yield `${JSON.stringify(computed.head).slice(0, -1)},"projects":[`;
  let texts: readonly string[] = [];
  for (let n = 0; n < computed.projectCount; n++) {
    if (n > 0) yield ',';
    atProject(n, 'begins');
    yield `${JSON.stringify(computed.projectHead(n)).slice(0, -1)},"work":[`;
    const [from, to] = computed.slotsOf(n);
    for (let slot = from; slot < to; slot++) {
      if (slot % READ_AT_ONCE === 0) {
        const ids = computed.idsFrom(slot, READ_AT_ONCE);
        texts = allOf(ids, yield ids);
      }
      const text = elementAt(texts, slot % READ_AT_ONCE);
      yield `${slot > from ? ',' : ''}${text.slice(0, -1)},${JSON.stringify(computed.workForecast(slot)).slice(1)}`;
    }
    yield ']}';
    atProject(n, 'ends');
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
