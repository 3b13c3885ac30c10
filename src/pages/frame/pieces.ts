/** Long pages are rendered in pieces, between which other requests run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unmetered } from '../../values/meter.ts';

const PIECE = 50;

export const letOthersRun = (): Promise<unknown> => unmetered(nextTurn());

export async function inPieces<Row, Made>(rows: readonly Row[], make: (row: Row) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (let from = 0; from < rows.length; from += PIECE) {
    if (from > 0) await letOthersRun();
    made.push(...rows.slice(from, from + PIECE).map(make));
  }
  return made;
}
