/** Answers that are sent line by line while their client reads them, such as calendars and CSV files (behaviour §13.21). Each holds a page of
 *  rows, so a client that stops reading must not open many. */
import { RateLimited } from '../../values/errors.ts';

const MOST = { ofPerson: 4, ofProcess: 40 };

const byPerson = new Map<number, number>();
let all = 0;

/** Returns a function that ends it. Throws RateLimited if the person, or the process, sends too many. */
export function beginStream(userId: number): () => void {
  const own = byPerson.get(userId) ?? 0;
  if (own >= MOST.ofPerson || all >= MOST.ofProcess)
    throw new RateLimited(30, 'Too many long answers are being read at once. Read them to their end, then try again.');
  byPerson.set(userId, own + 1);
  all++;
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    all--;
    const left = (byPerson.get(userId) ?? 1) - 1;
    if (left > 0) byPerson.set(userId, left);
    else byPerson.delete(userId);
  };
}
