/** In its own file, because threads that connect load it without the rest of the configuration. */
import type { ClientConfig } from 'pg';
import { parse as parseUrl } from 'pg-connection-string';
import { readCertificate } from '../values/certificate.ts';
import { loopback } from '../values/hosts.ts';

/** Settings to reach PostgreSQL. Hosts that are not local use verified TLS by default (behaviour §1.7). Parses `sslmode` here:
 *  node-postgres treats `require` as verify-full and lets the URL override options. PGSSLMODE applies to hosts that are not local, for
 *  platforms that set the URL (Heroku, without verifiable certificates). */
export function dbConfig(databaseUrl: string, { DATABASE_CA_CERT: ca, PGSSLMODE } = process.env): ClientConfig {
  const url = new URL(databaseUrl);
  const mode = url.searchParams.get('sslmode');
  url.searchParams.delete('sslmode');
  const { host } = parseUrl(url.href);
  const local = !host || host.startsWith('/') || loopback.has(host);
  return { connectionString: url.href, ssl: tls(mode ?? (local ? 'disable' : PGSSLMODE || 'verify-full'), authority(ca)), keepAlive: true };
}

function authority(given: string | undefined): string | undefined {
  if (!given) return undefined;
  try {
    return readCertificate(given);
  } catch (error) {
    throw new Error(`DATABASE_CA_CERT ${(error as Error).message}.`);
  }
}

function tls(mode: string, ca: string | undefined): ClientConfig['ssl'] {
  switch (mode) {
    case 'disable':
      return false;
    case 'require':
    case 'no-verify':
      return { rejectUnauthorized: false };
    case 'verify-ca':
      return { ca, checkServerIdentity: () => undefined };
    case 'verify-full':
      return { ca };
    default:
      throw new Error(`DATABASE_URL has sslmode=${mode}: use disable, require, verify-ca or verify-full.`);
  }
}
