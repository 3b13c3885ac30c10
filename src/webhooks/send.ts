/** One attempt at a delivery: a POST to a server that nobody vouches for. We resolve its name, look at every address, and connect to one of
 *  those that were looked at: a name that answers differently a moment later (DNS rebinding) leads nowhere else. */
import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { addressIn, faultOfUrl, isLoopbackAddress, isPublicAddress } from './address.ts';
import { resolveName } from './resolve.ts';

export interface Attempt {
  /** null when there was no answer. */
  status: number | null;
  ok: boolean;
  /** The beginning of the answer, or why there was none. */
  answer: string;
  ms: number;
}

export interface SendSettings {
  privateAddresses: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** How names are resolved: all their addresses. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

const TIMEOUT_MS = 15_000;
/** Once it said that it took it, a receiver that goes on talking is not waited for. */
const ANSWER_WITHIN_MS = 1_000;
const ANSWER_BYTES = 1_024;

/** Never throws because of the receiver. Throws when `signal` ends it: nobody knows then whether it arrived. */
export async function send(url: string, headers: Record<string, string>, body: string, settings: SendSettings): Promise<Attempt> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const timeout = AbortSignal.timeout(settings.timeoutMs ?? TIMEOUT_MS);
  const signal = settings.signal ? AbortSignal.any([timeout, settings.signal]) : timeout;
  try {
    const response = await answered(url, headers, body, signal, settings);
    const status = response.statusCode!;
    const answer = await beginningOf(response, signal);
    if (status >= 300 && status < 400) return { status, ok: false, answer: 'It redirects, which is not followed.', ms: ms() };
    return { status, ok: status >= 200 && status < 300, answer, ms: ms() };
  } catch (error) {
    settings.signal?.throwIfAborted();
    const answer = timeout.aborted ? `It did not answer within ${(settings.timeoutMs ?? TIMEOUT_MS) / 1000} s.` : reasonOf(error);
    return { status: null, ok: false, answer, ms: ms() };
  }
}

class Refused extends Error {}

function answered(text: string, headers: Record<string, string>, body: string, signal: AbortSignal, settings: SendSettings) {
  const url = new URL(text);
  const fault = faultOfUrl(text, settings.privateAddresses);
  if (fault) throw new Refused(`The URL ${fault}`);
  // No name is resolved for an address, so that it is looked at here.
  const address = addressIn(url);
  if (address !== null) look(url, [address], settings);
  const length = String(Buffer.byteLength(body));
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': length, connection: 'close' },
    // A connection of its own each time: one that is kept may be closed by the other side just when it is used.
    agent: false,
    // Whatever the environment says (NODE_TLS_REJECT_UNAUTHORIZED).
    rejectUnauthorized: true,
    lookup: guardedLookup(url, settings),
    signal,
    maxHeaderSize: 16 * 1024,
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sending = (url.protocol === 'https:' ? secureRequest : plainRequest)(url, options, resolve);
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Throws Refused unless all may be connected to: a name that leads to one address of ours is not to be tried twice for another. */
function look({ protocol }: URL, addresses: readonly string[], { privateAddresses }: SendSettings): void {
  if (addresses.length === 0) throw new Refused('Its name leads to no address.');
  if (protocol === 'http:' && !addresses.every(isLoopbackAddress)) throw new Refused('http goes to this machine only: use https.');
  if (!privateAddresses && !addresses.every(isPublicAddress)) throw new Refused('It leads to an address that is not public.');
}

/** Gives only addresses that were looked at to the connection. */
function guardedLookup(url: URL, settings: SendSettings): LookupFunction {
  const resolve = async (hostname: string) => {
    const found = await (settings.resolve ?? resolveName)(hostname);
    look(
      url,
      found.map(({ address }) => address),
      settings,
    );
    return found;
  };
  return (hostname, options, done) => {
    resolve(hostname).then(
      (found) => (options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)),
      (reason) => done(reason, []),
    );
  };
}

/** No more of it is read, and none is waited for long. */
async function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  let read = 0;
  const clock = setTimeout(() => response.destroy(), ANSWER_WITHIN_MS);
  try {
    for await (const piece of response) {
      pieces.push(piece);
      read += piece.length;
      if (read >= ANSWER_BYTES || signal.aborted) break;
    }
  } catch {
    // Its status was told; what it would have said besides does not matter.
  } finally {
    clearTimeout(clock);
    response.destroy();
  }
  return readable(Buffer.concat(pieces).subarray(0, ANSWER_BYTES).toString('utf8'));
}

/** Without what can't be stored, or would mislead where it is shown. */
const readable = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();

const codes: Record<string, string> = {
  ENOTFOUND: 'Its name can not be resolved.',
  EAI_AGAIN: 'Its name can not be resolved at the moment.',
  ECONNREFUSED: 'It refuses the connection.',
  ECONNRESET: 'It broke the connection off.',
  EHOSTUNREACH: 'It can not be reached.',
  ENETUNREACH: 'It can not be reached.',
  ETIMEDOUT: 'It can not be reached.',
};

/** In a sentence; never with an address in it, which a name may have been made to find out. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    if (at instanceof Refused) return at.message;
    const { code } = at as NodeJS.ErrnoException;
    if (code === undefined) continue;
    if (codes[code]) return codes[code];
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|HOSTNAME/.test(code)) return `Its certificate is not good (${code}).`;
    return `The connection failed (${code}).`;
  }
  return 'The connection failed.';
}
