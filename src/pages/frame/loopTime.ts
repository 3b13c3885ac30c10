/** Measures the event loop time of a page request, without its waits (behaviour §13.15). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'koa';
import { awaitOwnTurn, charge, threadMs } from '../../access/throttle/loopShare.ts';

/** Limit per stretch: a longer stretch had an unmeasured wait, in which other requests ran. */
const MOST_MS = 50;

class LoopTime {
  readonly #userId: number;
  #since: number | null = null;

  constructor(userId: number) {
    this.#userId = userId;
  }

  async begin(): Promise<void> {
    await awaitOwnTurn(this.#userId);
    this.#since = threadMs();
  }

  end(): void {
    if (this.#since !== null) charge(this.#userId, Math.min(MOST_MS, threadMs() - this.#since));
    this.#since = null;
  }
}

/** Charges the user for the event loop time of this request until `stopCharging`. */
export async function startCharging(ctx: Context, userId: number): Promise<void> {
  const time = new LoopTime(userId);
  ctx.state.loopTime = time;
  await time.begin();
}

export function stopCharging(ctx: Context): void {
  const time: LoopTime | undefined = ctx.state.loopTime;
  time?.end();
  ctx.state.loopTime = undefined;
}

export async function waiting<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const time: LoopTime | undefined = ctx.state.loopTime;
  time?.end();
  try {
    return await work();
  } finally {
    await time?.begin();
  }
}

const PIECE = 50;

export const letOthersRun = (ctx: Context): Promise<unknown> => waiting(ctx, () => nextTurn());

/** Renders rows in pieces and lets other requests run between them. */
export async function inPieces<Row, Made>(ctx: Context, rows: readonly Row[], make: (row: Row) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (let from = 0; from < rows.length; from += PIECE) {
    if (from > 0) await letOthersRun(ctx);
    made.push(...rows.slice(from, from + PIECE).map(make));
  }
  return made;
}
