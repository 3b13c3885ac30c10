/** Work that waits in lines: the lines take turns, so that whoever has many pieces waiting holds up nobody who has one. */
import pLimit from 'p-limit';

interface Piece {
  start(): Promise<void>;
  giveUp(): void;
}

export class FairQueue {
  readonly #turns: ReturnType<typeof pLimit>;
  readonly #mostWaiting: number;
  readonly #mostInLine: number;
  readonly #lines = new Map<string, Piece[]>();

  constructor({ atOnce, mostWaiting, mostInLine }: { atOnce: number; mostWaiting: number; mostInLine: number }) {
    this.#turns = pLimit(atOnce);
    this.#mostWaiting = mostWaiting;
    this.#mostInLine = mostInLine;
  }

  /** Whether there is room in the line; a full queue has room for who has nothing waiting, as long as a longer line can give it up. */
  hasRoom(line: string): boolean {
    const waiting = this.#lines.get(line)?.length ?? 0;
    if (waiting >= this.#mostInLine) return false;
    return this.#waiting() < this.#mostWaiting || (waiting === 0 && (this.#longest()?.length ?? 0) > 1);
  }

  /** Does the work when it is the line's turn. Rejects with `refusal()` when there is no room, or when it is given up for another line. */
  run<T>(line: string, work: () => Promise<T>, refusal: () => Error): Promise<T> {
    if (!this.hasRoom(line)) return Promise.reject(refusal());
    if (this.#waiting() >= this.#mostWaiting) this.#longest()!.pop()!.giveUp();
    return new Promise<T>((resolve, reject) => {
      const piece = { start: () => work().then(resolve, reject), giveUp: () => reject(refusal()) };
      this.#lines.set(line, [...(this.#lines.get(line) ?? []), piece]);
      void this.#turns(() => this.#next());
    });
  }

  /** The next line goes to the end. A turn may be left over from what was given up. */
  async #next(): Promise<void> {
    const [next] = this.#lines;
    if (!next) return;
    const [line, [piece, ...rest]] = next;
    this.#lines.delete(line);
    if (rest.length) this.#lines.set(line, rest);
    await piece!.start();
  }

  #waiting = () => this.#lines.values().reduce((sum, { length }) => sum + length, 0);

  #longest(): Piece[] | undefined {
    return [...this.#lines.values()].reduce<Piece[] | undefined>(
      (most, line) => (most && most.length >= line.length ? most : line),
      undefined,
    );
  }
}
