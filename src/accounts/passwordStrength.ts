/** Rates passwords in a thread: hostile text must not block the event loop. It ends when idle, because it takes 60 MB. */
import { InvalidRequest, type Path, Unavailable } from '../values/errors.ts';
import { HelperThread } from '../values/helperThread.ts';

export interface Question {
  password: string;
  words: string[];
}

/** At least 10^8 guesses: resists an attacker with stolen hashes for a while. */
const ENOUGH = 3;
const MOST_WAITING = 16;

const busy = () => new Unavailable('The server is busy checking passwords. Try again in a few seconds.', 2);

/** Returns a score from 0 (easy to guess) to 4. */
const judge = new HelperThread<Question, number>(new URL('./strengthThread.ts', import.meta.url), {
  heapMb: 128,
  answerMs: 8_000,
  idleMs: 30_000,
});

async function scoreOf(password: string, words: string[]): Promise<number> {
  if (judge.waiting >= MOST_WAITING) throw busy();
  return judge.ask({ password, words }).catch((error: unknown) => {
    throw Object.assign(busy(), { cause: error });
  });
}

const separators = /[^\p{L}\p{N}]+/u;

function wordsOf(about: readonly string[]): string[] {
  const words = about.flatMap((text) => [text, ...text.split('@'), ...text.split(separators), text.split(separators).join('')]);
  return [...new Set(['stint', ...words].filter((word) => word.length > 2))];
}

/** Throws InvalidRequest for a password that is easy to guess. `about`: public facts about the person, such as name, address, account. */
export async function requireStrong(password: string, about: readonly string[], path: Path): Promise<void> {
  if ((await scoreOf(password, wordsOf(about))) >= ENOUGH) return;
  throw new InvalidRequest(path, 'is easy to guess; give a longer one, such as a few unrelated words.');
}
