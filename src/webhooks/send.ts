/** One attempt at a delivery to an untrusted server. We check every address of its name and connect only to a checked one, which prevents
 *  DNS rebinding. */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { codeOf } from '../values/errors.ts';
import { addressIn, faultOfUrl, isLoopbackAddress, isPublicAddress } from './address.ts';

// Resolves webhook hostnames by DNS. The system's resolver blocks one of the process's few threads while a name server is silent.

/** The second try takes twice as long. */
const FIRST_TRY_MS = 2_000;
const TRIES = 2;
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Returns all addresses of a name. Throws ENOTFOUND if it has none, EAI_AGAIN if no name server answers. */
export async function resolveName(name: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  // RFC 6761: never sent to a name server.
  if (name === 'localhost') return [...addresses(['127.0.0.1'], 4), ...addresses(['::1'], 6)];
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(v4.status === 'fulfilled' ? addresses(v4.value, 4) : []),
    ...(v6.status === 'fulfilled' ? addresses(v6.value, 6) : []),
  ];
  if (found.length > 0) return found;
  const failed = [v4, v6].find((one) => one.status === 'rejected' && !NO_SUCH_NAME.has(one.reason.code));
  throw Object.assign(new Error(`${name} has no address`), { code: failed ? 'EAI_AGAIN' : 'ENOTFOUND' });
}

const addresses = (found: readonly string[], family: 4 | 6): LookupAddress[] => found.map((address) => ({ address, family }));

export interface Attempt {
  status: number | null;
  ok: boolean;
  /** The beginning of the response body, or why there was no response. */
  answer: string;
  ms: number;
}

export interface SendSettings {
  privateAddresses: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

const TIMEOUT_MS = 15_000;
/** How long we read the body after the response headers. */
const ANSWER_WITHIN_MS = 1_000;
const ANSWER_BYTES = 1_024;

/** Never throws because of the receiver. Throws if `signal` aborts; the message may then have arrived or not. */
export async function send(url: string, headers: Record<string, string>, body: string, settings: SendSettings): Promise<Attempt> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const timeout = AbortSignal.timeout(settings.timeoutMs ?? TIMEOUT_MS);
  const signal = settings.signal ? AbortSignal.any([timeout, settings.signal]) : timeout;
  try {
    const response = await answered(url, headers, body, signal, settings);
    const { statusCode: status = 0 } = response;
    const answer = await beginningOf(response, signal);
    if (status >= 300 && status < 400)
      return { status, ok: false, answer: 'The receiver redirected. Redirects are not followed.', ms: ms() };
    return { status, ok: status >= 200 && status < 300, answer, ms: ms() };
  } catch (error) {
    settings.signal?.throwIfAborted();
    const answer = timeout.aborted ? `The receiver did not answer within ${(settings.timeoutMs ?? TIMEOUT_MS) / 1000} s.` : reasonOf(error);
    return { status: null, ok: false, answer, ms: ms() };
  }
}

class Refused extends Error {}

function answered(text: string, headers: Record<string, string>, body: string, signal: AbortSignal, settings: SendSettings) {
  const url = new URL(text);
  const fault = faultOfUrl(text, settings.privateAddresses);
  if (fault) throw new Refused(`The URL ${fault}`);
  // An IP address needs no lookup, so the guarded lookup does not check it.
  const address = addressIn(url);
  if (address !== null) look(url, [address], settings);
  const length = String(Buffer.byteLength(body));
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': length, connection: 'close' },
    // No keep-alive: the receiver may close a reused connection at the moment we send.
    agent: false,
    // Certificates are checked even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
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

/** Throws Refused unless every address is allowed. One forbidden address is enough to refuse the whole name. */
function look({ protocol }: URL, addresses: readonly string[], { privateAddresses }: SendSettings): void {
  if (addresses.length === 0) throw new Refused('The host name has no address.');
  if (protocol === 'http:' && !addresses.every(isLoopbackAddress)) throw new Refused('http is allowed only to this machine. Use https.');
  if (!privateAddresses && !addresses.every(isPublicAddress)) throw new Refused('The address is not public.');
}

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
      (found) => {
        const [first] = found;
        return options.all || !first ? done(null, found) : done(null, first.address, first.family);
      },
      (reason) => done(reason, []),
    );
  };
}

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
  } finally {
    clearTimeout(clock);
    response.destroy();
  }
  return readable(Buffer.concat(pieces).subarray(0, ANSWER_BYTES).toString('utf8'));
}

/** Replaces control characters, which can't be stored or would mislead a reader. */
const readable = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();

const codes: Record<string, string> = {
  ENOTFOUND: 'The host name cannot be resolved.',
  EAI_AGAIN: 'The host name cannot be resolved at the moment.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
  ETIMEDOUT: 'The receiver cannot be reached.',
};

/** Returns one sentence without IP addresses: a user could use the webhook to look up internal names. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined)) {
    if (at instanceof Refused) return at.message;
    const code = codeOf(at);
    if (code === '') continue;
    if (codes[code]) return codes[code];
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|HOSTNAME/.test(code)) return `The certificate is not valid (${code}).`;
    return `The connection failed (${code}).`;
  }
  return 'The connection failed.';
}
