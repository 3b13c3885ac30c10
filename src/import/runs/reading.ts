/** Reads files in a helper thread: a hostile file ends the thread at its deadline or heap limit, not the process (behaviour §13.19). Bytes and
 *  rows are sent in pieces, so neither side holds the file. */
import { SharedThread } from '../../access/throttle/sharedThread.ts';
import { HelperThread, type ThreadLimits, threadLimits, withinLimits } from '../../values/helperThread.ts';
import type { Format, OpenSource } from '../sources/source.ts';
import type { Survey } from '../sources/surveySchema.ts';
import type { Piece, Prepared, Wanted } from './readRows.ts';

type Beginning = ({ begin: 'prepare'; format: Format } & Wanted) | ({ begin: 'stage'; survey: Survey } & Wanted);
export type Question =
  | { begin: 'detect'; head: Uint8Array; name: string }
  | Beginning
  /** Null: the file has no more, or the thread did not want bytes. */
  | { piece: Uint8Array | null };
/** `start`: the first piece of the file. */
export type Answer = { wants: 'start' | 'piece' } | { found: Piece } | { format: Format } | { prepared: Prepared } | { refused: number };

/** Small, so that a question ends long before its deadline. */
const PIECE_BYTES = 65_536;

const entry = new URL('./readingThread.ts', import.meta.url);
const split = 'Check that it is an export of this service, or split it, and import each part.';
const problem = {
  path: [],
  deadline: `The file takes too long to read. ${split}`,
  heap: `The file needs too much memory to read. ${split}`,
};

export class FileReader {
  readonly #limits: ThreadLimits;
  readonly #detecting: SharedThread<Question, Answer>;
  /** A thread that has read a file and may read the next one: starting one takes as long as reading a small file. */
  #free: HelperThread<Question, Answer> | undefined;

  constructor(limits: ThreadLimits = threadLimits.imports) {
    this.#limits = limits;
    this.#detecting = new SharedThread(entry, limits);
  }

  /** `head`: the first bytes. Throws InvalidRequest for a file that no format fits. */
  async detect(userId: number, head: Uint8Array, name: string): Promise<Format> {
    const answer = await withinLimits(problem, () => this.#detecting.ask(String(userId), { begin: 'detect', head, name }));
    return 'format' in answer ? answer.format : 'csv';
  }

  /** Throws InvalidRequest for an unreadable file, TooExpensive for one that exceeds the limits twice. */
  async prepare(open: OpenSource, format: Format, wanted: Wanted, signal: AbortSignal): Promise<Prepared> {
    const answer = await this.#twice(open, { begin: 'prepare', format, ...wanted }, async () => signal.throwIfAborted());
    if (!('prepared' in answer)) throw new Error('The thread did not prepare the file.');
    return answer.prepared;
  }

  /** Calls `take` for each piece, from the first one again after a failure. Returns the number of refused rows. Throws like `prepare`. */
  async stage(open: OpenSource, survey: Survey, wanted: Wanted, take: (piece: Piece | null) => Promise<void>): Promise<number> {
    const answer = await this.#twice(open, { begin: 'stage', survey, ...wanted }, take);
    if (!('refused' in answer)) throw new Error('The thread did not read the file.');
    return answer.refused;
  }

  #twice(open: OpenSource, beginning: Beginning, take: (piece: Piece | null) => Promise<void>): Promise<Answer> {
    return withinLimits({ ...problem, tries: 2 }, () => this.#read(open, beginning, take));
  }

  #keep(thread: HelperThread<Question, Answer>): void {
    thread.endTask();
    this.#free?.end();
    this.#free = thread;
  }

  /** `take` is called after each step; with null at the beginning and if there are no rows. */
  async #read(open: OpenSource, beginning: Beginning, take: (piece: Piece | null) => Promise<void>): Promise<Answer> {
    const thread = this.#free ?? new HelperThread<Question, Answer>(entry, this.#limits);
    this.#free = undefined;
    thread.beginTask();
    let pieces = piecesOf(open);
    try {
      let answer = await thread.ask(beginning);
      while ('wants' in answer || 'found' in answer) {
        await take('found' in answer ? answer.found : null);
        let piece: Uint8Array | null = null;
        if ('wants' in answer) {
          if (answer.wants === 'start') {
            await pieces.return(undefined);
            pieces = piecesOf(open);
          }
          piece = (await pieces.next()).value ?? null;
        }
        answer = await thread.ask({ piece });
      }
      this.#keep(thread);
      return answer;
    } finally {
      if (this.#free !== thread) thread.end();
      await pieces.return(undefined);
    }
  }
}

/** Copies: a message has the whole buffer of a part, and the bytes of a chunk are freed after it. */
async function* piecesOf(open: OpenSource): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of open())
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield new Uint8Array(chunk.subarray(at, at + PIECE_BYTES));
}

export const fileReader = new FileReader();
