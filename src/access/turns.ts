/** Each credential's share of a process's database connections: whoever asks for much at once waits in a line of their own, and nobody else
 *  behind them. */
import { Unavailable } from '../values/errors.ts';
import type { Caller, KeyHolder } from './caller.ts';

/** Less than half of the pool's usual size. */
const MOST_AT_ONCE = 4;
/** By then the request has been answered 503 (behaviour §13.1): a write must not come later still. */
const PATIENCE_MS = 10_000;

interface Line {
  running: number;
  waiting: (() => void)[];
}

const lines = new Map<string, Line>();

const keyOf = ({ hash }: KeyHolder): string => hash.toString('latin1');

function lineOf(key: string): Line {
  const line = lines.get(key) ?? { running: 0, waiting: [] };
  lines.set(key, line);
  return line;
}

/** Does the work when it is its turn. Throws Unavailable when that comes too late, or when the work is not `wanted` any more. */
export async function inTurn<T>(caller: Caller, work: () => Promise<T>, wanted = () => true): Promise<T> {
  if (!('hash' in caller)) return work();
  const key = keyOf(caller);
  const line = lineOf(key);
  let inTime = true;
  if (line.running < MOST_AT_ONCE) line.running++;
  else inTime = await ownTurn(line);
  try {
    if (!inTime || !wanted()) throw new Unavailable();
    return await work();
  } finally {
    leave(key, line);
  }
}

/** Takes a place at once, for what follows a piece of work and keeps its result in memory. Returns how to give it back. */
export function heldTurn(caller: Caller): () => void {
  if (!('hash' in caller)) return () => {};
  const key = keyOf(caller);
  const line = lineOf(key);
  line.running++;
  return () => leave(key, line);
}

/** The place is handed on, not given back, so that nobody slips in between. */
function leave(key: string, line: Line): void {
  const next = line.running <= MOST_AT_ONCE && line.waiting.shift();
  if (next) next();
  else if (--line.running === 0) lines.delete(key);
}

async function ownTurn(line: Line): Promise<boolean> {
  const since = performance.now();
  await new Promise<void>((resolve) => line.waiting.push(resolve));
  return performance.now() - since < PATIENCE_MS;
}
