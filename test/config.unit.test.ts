/** The environment: all faults at once, database addresses and TLS. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { configWarnings, readConfig, readDatabaseUrl } from '../src/config.ts';
import { dbConfig } from '../src/database/connections.ts';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const direct = 'postgres://u:p@db.example/stint';
const pooled = 'postgres://u:p@pooler.example:6432/stint';
const pem = rootCertificates[0]!;
const sound = { DATABASE_URL: pooled, SECRET_KEY: 'x'.repeat(32) };

test('all faults are reported in one message, without values', (t) => {
  const error = t.throws(() => readConfig({ PORT: 'many', SECRET_KEY: 'too short', DATABASE_DIRECT_URL: 'mysql://me:hidden@there' }));
  for (const name of ['PORT', 'DATABASE_URL: is missing', 'SECRET_KEY', 'DATABASE_DIRECT_URL: must look like postgres']) {
    t.true(error!.message.includes(name), name);
  }
  t.false(error!.message.includes('hidden'));
});

test('an unusable database address is reported with the other faults, without its password', (t) => {
  for (const fault of ['postgres://me:hidden@db.example:99999/stint', 'postgres://me:hidden@db.example/stint?sslmode=perhaps']) {
    const error = t.throws(() => readConfig({ DATABASE_URL: fault, PORT: 'many' }));
    t.regex(error!.message, /DATABASE_URL: (must look like|sslmode must be)/);
    for (const other of ['PORT', 'SECRET_KEY']) t.true(error!.message.includes(other), other);
    t.false(error!.message.includes('hidden'));
  }
});

test('LISTEN and session settings use the same address, unless a direct address bypasses the pooler', (t) => {
  t.like(readConfig(sound), { databaseUrl: pooled, directUrl: pooled, preparedStatements: true });
  t.like(readConfig({ ...sound, DATABASE_DIRECT_URL: '' }), { directUrl: pooled });
  const behind = { ...sound, DATABASE_DIRECT_URL: direct, DATABASE_PREPARED_STATEMENTS: 'off' };
  t.like(readConfig(behind), { databaseUrl: pooled, directUrl: direct, preparedStatements: false });
  t.is(readDatabaseUrl(behind), direct);
  t.is(readDatabaseUrl(sound), pooled);
});

test('without DATABASE_URL commands use the embedded database, whatever the direct address is', (t) => {
  t.is(readDatabaseUrl({ DATABASE_DIRECT_URL: direct }), undefined);
  t.throws(() => readDatabaseUrl({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: 'db.example' }), { message: /^DATABASE_DIRECT_URL: / });
});

test('a remote database needs verified TLS unless its address says otherwise', (t) => {
  t.deepEqual(dbConfig(direct, {}).ssl, { ca: undefined });
  t.is(dbConfig('postgres://u@localhost/stint').ssl, false);
  t.is(dbConfig(`${direct}?sslmode=disable`).ssl, false);
  t.deepEqual(dbConfig(`${direct}?sslmode=require`).ssl, { rejectUnauthorized: false });
  t.throws(() => dbConfig(`${direct}?sslmode=prefer`), { message: /sslmode=prefer/ });
});

test('PGSSLMODE decides about certificates on platforms that write the address; the address and a local host take precedence', (t) => {
  const unverified = { rejectUnauthorized: false };
  t.deepEqual(dbConfig(direct, { PGSSLMODE: 'require' }).ssl, unverified);
  t.deepEqual(dbConfig(`${direct}?sslmode=verify-full`, { PGSSLMODE: 'require', DATABASE_CA_CERT: pem }).ssl, { ca: pem });
  t.is(dbConfig('postgres://u@127.0.0.1/stint', { PGSSLMODE: 'require' }).ssl, false);
  t.throws(() => readConfig({ ...sound, PGSSLMODE: 'perhaps' }), { message: /PGSSLMODE/ });
});

test('DATABASE_CA_CERT takes PEM text or a file path, and anything else stops the start with a clear message', (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'ca-')), 'ca.pem');
  writeFileSync(file, pem);
  t.deepEqual(dbConfig(direct, { DATABASE_CA_CERT: file }).ssl, { ca: pem });
  t.notThrows(() => readConfig({ ...sound, DATABASE_CA_CERT: file }));
  const faults = {
    '/nowhere/ca.pem': /DATABASE_CA_CERT: is neither PEM text nor a file that can be read \(ENOENT\)/,
    '-----BEGIN PRIVATE KEY-----': /DATABASE_CA_CERT: holds no certificate: give PEM text/,
    '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----': /DATABASE_CA_CERT: holds a certificate that can not be read/,
  };
  for (const [given, message] of Object.entries(faults)) {
    t.throws(() => readConfig({ ...sound, DATABASE_CA_CERT: given }), { message });
    t.throws(() => dbConfig(direct, { DATABASE_CA_CERT: given }), { message: /^DATABASE_CA_CERT / });
  }
});

test('a missing sender address and an untrusted router cause warnings', (t) => {
  const names = (environment: Record<string, string>) => configWarnings(readConfig({ ...sound, ...environment })).map(({ name }) => name);
  const smtp = { SMTP_URL: 'smtp://mail.example' };
  const https = { BASE_URL: 'https://stint.example' };
  t.deepEqual(names({}), []);
  t.deepEqual(names(smtp), ['mail sender']);
  t.deepEqual(names({ ...smtp, MAIL_FROM: 'Stint <stint@acme.example>' }), []);
  t.deepEqual(names(https), ['proxy']);
  t.deepEqual(names({ ...https, TRUST_PROXY: '1' }), []);
});
