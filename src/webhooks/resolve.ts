/** Resolves webhook hostnames by DNS. The system's resolver blocks one of the process's few threads while a name server is silent. */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

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
