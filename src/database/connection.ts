/** From the database's URL to the settings of a connection. Apart from the rest of the configuration: a thread that connects loads it. */
import type { ClientConfig } from 'pg';
import { parse as parseUrl } from 'pg-connection-string';
import { readCertificate } from '../values/certificate.ts';
import { loopback } from '../values/hosts.ts';

/** How to reach PostgreSQL. TLS with verification is the default for any host that is not local (behaviour §1.7); `sslmode` in the URL is
 *  translated here, because node-postgres reads `require` as verify-full and lets the URL beat every option. Where a platform writes the
 *  URL (Heroku, whose certificates nobody can verify), PGSSLMODE speaks for hosts that are not local. */
export function dbConfig(databaseUrl: string, { DATABASE_CA_CERT: ca, PGSSLMODE } = process.env): ClientConfig {
  const url = new URL(databaseUrl);
  const mode = url.searchParams.get('sslmode');
  url.searchParams.delete('sslmode');
  const { host } = parseUrl(url.href);
  const local = !host || host.startsWith('/') || loopback.has(host);
  return { connectionString: url.href, ssl: tls(mode ?? (local ? 'disable' : PGSSLMODE || 'verify-full'), authority(ca)), keepAlive: true };
}

/** DATABASE_CA_CERT as PEM text. */
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
