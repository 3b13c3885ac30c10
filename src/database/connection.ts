/** In its own file, because threads that connect load it without the rest of the configuration. */
import type { ClientConfig } from 'pg';
import { parse as parseUrl } from 'pg-connection-string';
import { readCertificate } from '../values/certificate.ts';
import { messageOf } from '../values/errors.ts';
import { loopback } from '../values/hosts.ts';

/** Verified TLS by default for hosts that are not local (behaviour §1.7). Parses `sslmode`, because node-postgres treats `require` as
 *  verify-full. PGSSLMODE is for platforms that set the URL (Heroku), and only for hosts that are not local. */
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
    throw new Error(`DATABASE_CA_CERT ${messageOf(error)}.`);
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
