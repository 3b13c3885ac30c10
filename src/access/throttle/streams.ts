/** Answers that are sent line by line while their client reads them, such as calendars and CSV files (behaviour §13.21). Each holds a page of
 *  rows, so a client that stops reading must not open many. */
import { RateLimited } from '../../values/errors.ts';
import { Slots, slotsOf } from './concurrency.ts';

const MOST_OF_PERSON = 4;
const MOST_OF_PROCESS = 40;
const ofProcess = new Slots({ concurrent: MOST_OF_PROCESS });
const byPerson = new Map<number, Slots>();

const refusal = () => new RateLimited(30, 'Too many long answers are being read at once. Read them to their end, then try again.');

/** Returns a function that ends it. Throws RateLimited if the person, or the process, sends too many. */
export function beginStream(userId: number): () => void {
  if (ofProcess.isFull) throw refusal();
  const ofPerson = slotsOf(byPerson, userId, { concurrent: MOST_OF_PERSON });
  if (ofPerson.isFull) throw refusal();
  const ends = [ofPerson.hold(), ofProcess.hold()];
  return () => {
    for (const end of ends.splice(0)) end();
  };
}
