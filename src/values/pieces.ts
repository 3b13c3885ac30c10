/** Long lists are worked off in pieces, between which other requests run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unmetered } from './meter.ts';

const PIECE = 50;

export const letOthersRun = (): Promise<unknown> => unmetered(nextTurn());

export async function inPieces<Row, Made>(rows: readonly Row[], make: (row: Row) => Made, piece = PIECE): Promise<Made[]> {
  const made: Made[] = [];
  for (let from = 0; from < rows.length; from += piece) {
    if (from > 0) await letOthersRun();
    made.push(...rows.slice(from, from + piece).map(make));
  }
  return made;
}
