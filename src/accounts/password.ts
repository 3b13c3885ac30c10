/** Passwords as argon2id PHC strings. Hashing takes memory and a core, so at most half of the cores hash at a time. */
import crypto, { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { z } from 'zod';
import { Slots, withoutSlot } from '../access/throttle/concurrency.ts';
import { InvalidRequest, type Path, Unavailable } from '../values/errors.ts';
import { HelperThread, threadLimits } from '../values/helperThread.ts';
import { sameSecret, textFault } from '../values/text.ts';

/** Rates passwords in a thread: hostile text must not block the event loop. */
export interface Question {
  password: string;
  words: string[];
}

/** Score of a password that takes at least 10^8 guesses: it resists an attacker with stolen hashes for a while. */
const ENOUGH = 3;
const PASSWORD_STRENGTH_MOST_WAITING = 16;

const busy = () => new Unavailable('The server is busy checking passwords. Try again in a few seconds.', 2);

/** Returns a score from 0 (easy to guess) to 4. */
const judge = new HelperThread<Question, number>(new URL('./strengthThread.ts', import.meta.url), threadLimits.passwords);

async function scoreOf(password: string, words: string[]): Promise<number> {
  if (judge.waiting >= PASSWORD_STRENGTH_MOST_WAITING) throw busy();
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

// Not a named import: an older Node would fail while linking, before the version check prints its message.
const hashing = promisify(crypto.argon2);
const MEMORY_KIB = 19_456;
const PASSES = 2;
const AT_ONCE = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** Sign-ins (behaviour §13.7). If no address is in several accounts, the last waits for about a second. */
const PASSWORD_MOST_WAITING = 32;
const MOST_IN_LINE = PASSWORD_MOST_WAITING;
const MAX_BYTES = 1_024;

/** 1 byte to 1 KiB of UTF-8. */
export const Password = z.string({ error: 'give a password' }).check((ctx) => {
  const fault = textFault(ctx.value, 1, MAX_BYTES);
  const message = fault ?? (Buffer.byteLength(ctx.value) > MAX_BYTES ? 'give at most 1 KiB' : null);
  if (message) ctx.issues.push({ code: 'custom', message, input: ctx.value });
});

export const NewPassword = Password.refine((text) => [...text].length >= 10, 'give at least 10 characters');

const storm = () => new Unavailable('The server is busy checking passwords. Try again in a few seconds.', 1);

const checks = new Slots({ concurrent: AT_ONCE, mostWaiting: PASSWORD_MOST_WAITING, mostInLine: MOST_IN_LINE, refusal: storm });
const choices = new Slots({ concurrent: AT_ONCE });

const derive = (password: string, nonce: Buffer, tagLength: number, memory: number, passes: number) =>
  hashing('argon2id', { message: password, nonce, parallelism: 1, tagLength, memory, passes });

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await withoutSlot(choices.run(() => derive(password, salt, 32, MEMORY_KIB, PASSES)));
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(salt)}$${base64(tag)}`;
}

/** Hashes a newly chosen password. `about`: public facts about the person. Throws InvalidRequest if it is easy to guess. */
export async function hashNewPassword(password: string, about: readonly string[], path: Path = ['password']): Promise<string> {
  await requireStrong(password, about, path);
  return hashPassword(password);
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/;
/** Checked if there is no user, so that the check takes the same time. */
const noUser = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(32))}`;

/** Throws Unavailable if too many checks wait, in all or in this line. */
export function refuseStorm(line: string): void {
  if (!checks.hasRoom(line)) throw storm();
}

/** True for each hash that fits. A null hash takes the same time. Throws Unavailable if too many checks wait. */
export function verifyPasswords(password: string, stored: readonly (string | null)[], line = ''): Promise<boolean[]> {
  const check = async () => {
    const right: boolean[] = [];
    for (const one of stored) right.push(await matches(password, one));
    return right;
  };
  return withoutSlot(checks.run(check, line));
}

export async function verifyPassword(password: string, stored: string | null, line = ''): Promise<boolean> {
  const [right = false] = await verifyPasswords(password, [stored], line);
  return right;
}

async function matches(password: string, stored: string | null): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_BYTES) return false;
  const [, memory, passes, salt, tag] = shape.exec(stored ?? noUser) ?? [];
  if (!salt || !tag) throw new Error('A stored password hash is not argon2id.');
  const expected = Buffer.from(tag, 'base64');
  const found = await derive(password, Buffer.from(salt, 'base64'), expected.length, Number(memory), Number(passes));
  return sameSecret(found, expected) && stored !== null;
}
