/** Only this file, cli.ts and database/connections.ts read process.env. One message lists every fault (behaviour §1.5). */
import { z } from 'zod';
import { readCertificate } from './values/certificate.ts';
import { messageOf } from './values/errors.ts';
import { loopback } from './values/hosts.ts';
import { elementAt } from './values/records.ts';

const MIB = 1024 * 1024;

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || loopback.has(url.hostname), 'must be https unless its host is loopback')
  .refine((url) => !url.search && !url.hash && !url.username, 'must be an address with an optional path, nothing more');

const sslModes = ['disable', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const;
const looksSo = 'must look like postgres://user:password@host/database';

/** Checks all parts of the URL here: Node prints a URL that it can't parse, with the password in it. */
const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: looksSo, abort: true })
  .refine((text) => URL.canParse(text), { error: looksSo, abort: true })
  .refine(
    (text) =>
      z
        .enum(sslModes)
        .optional()
        .safeParse(new URL(text).searchParams.get('sslmode') ?? undefined).success,
    {
      error: 'sslmode must be disable, require, verify-ca or verify-full',
    },
  );

const certificate = z.string().superRefine((given, ctx) => {
  try {
    readCertificate(given);
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: messageOf(error) });
  }
});

/** Mail servers elsewhere reject this sender. */
const LOCAL_SENDER = 'Stint <stint@localhost>';

const Environment = z.object({
  PORT: whole(0, 65535).default(3000),
  HOST: z.string().min(1).optional(),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_PREPARED_STATEMENTS: z.enum(['on', 'off']).default('on'),
  DATABASE_CA_CERT: certificate.optional(),
  PGSSLMODE: z.enum(sslModes).optional(),
  DATABASE_POOL_SIZE: whole(1, 500).default(10),
  BASE_URL: baseUrl.optional(),
  SECRET_KEY: z.string().min(32, 'must be at least 32 characters: create one with `openssl rand -hex 32`'),
  SECRET_KEY_PREVIOUS: z.string().min(32, 'must be the previous SECRET_KEY').optional(),
  TRUST_PROXY: whole(0, 1).default(0),
  HSTS_MAX_AGE: z.union([z.literal('off'), whole(0, 3_000_000_000)], "must be a number of seconds, or 'off'").default(31_536_000),
  NODE_ENV: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_TOKEN: z.string().min(16).optional(),
  METRICS_GATHER: z.enum(['process', 'database']).default('process'),
  WORKER_PORT: whole(0, 65535).optional(),
  WORKER_CONCURRENCY: whole(1, 100).default(10),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/, abort: true })
    .refine(
      (text) => text.startsWith('https:') || loopback.has(new URL(text).hostname),
      'must be https unless its host is loopback: the key and notes are sent there',
    )
    .optional(),
  REWRITE_MODEL: z.string().min(1).default('gpt-5-mini'),
  REWRITE_TIMEOUT_MS: whole(100, 120_000).default(15_000),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).default(LOCAL_SENDER),
  WEBHOOK_PRIVATE_ADDRESSES: z.enum(['on', 'off']).default('off'),
  STINT_OUTBOUND: z.enum(['on', 'off']).default('on'),
  RATE_LIMIT_REST: whole(1, 1_000_000_000).default(600),
  RATE_LIMIT_MCP: whole(1, 1_000_000_000).default(300),
  RATE_LIMIT_PAGES: whole(1, 1_000_000_000).default(600),
  RATE_LIMIT_SIGN_IN: whole(1, 1_000_000).default(10),
  AUDIT_DAYS: whole(1, 36_500).default(400),
  FILES_SCAN_COMMAND: z.string().min(1).optional(),
  FILES_SCAN_URL: z.url({ protocol: /^https?$/ }).optional(),
  FILES_QUOTA_MB: whole(1, 100_000_000).default(2_048),
  LIVE_STREAMS: whole(0, 20_000).default(2_000),
});

export interface Config {
  port: number;
  /** Loopback, unless HOST is set or BASE_URL is public. */
  host: string;
  databaseUrl: string;
  /** The same database without a pooler, for features that need a session: LISTEN, workers, migrations. */
  directUrl: string;
  /** False behind a transaction pooler without support for prepared statements. */
  preparedStatements: boolean;
  databasePoolSize: number;
  /** Public address without a trailing slash. */
  baseUrl: string;
  /** Context path: '' or '/stint'. */
  basePath: string;
  local: boolean;
  development: boolean;
  https: boolean;
  origin: string;
  /** Sends a second cookie with the session cookie: with the prefix `__Host-`, which only this host can set. It needs https and the path `/`. */
  companionCookie: boolean;
  secretKey: string;
  /** The SECRET_KEY before the last change. Values made with it stay valid for a day (values/secretKeys.ts). */
  previousSecretKey: string | undefined;
  trustProxy: number;
  /** Seconds. Null: the header is not sent. */
  hstsMaxAge: number | null;
  logLevel: string;
  metricsToken: string | undefined;
  /** /metrics returns the metrics of all processes, which store them in the database. */
  metricsGather: boolean;
  /** Port on which a worker answers /healthz, /readyz and /metrics. Unset: none. */
  workerPort: number | undefined;
  workerConcurrency: number;
  rewrite: { apiKey: string | undefined; baseUrl: string | undefined; model: string; timeoutMs: number };
  mail: { smtpUrl: string | undefined; from: string };
  /** Allows webhooks to private addresses, and over http to this machine. */
  webhookPrivateAddresses: boolean;
  /** Mails, webhooks and reminders are held, and notes are not rewritten. */
  outboundOff: boolean;
  auditDays: number;
  /** Of all files of an account together. */
  filesQuotaBytes: number;
  /** Scans files before they can be read; null: files are not scanned. */
  fileScan: { command: string } | { url: string } | null;
  liveStreams: number;
  /** Requests per minute. */
  limits: { rest: number; mcp: number; pages: number; signIn: number };
}

/** Throws one Error that lists every fault. Empty variables count as unset. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `  ${issue.path.join('.')}: ${given[String(issue.path[0])] === undefined ? 'is missing' : issue.message}`,
    );
    throw new Error(`Stint cannot start because of these settings:\n${faults.join('\n')}`);
  }
  return toConfig(parsed.data, given);
}

/** Like readConfig, but prints the faults and exits with code 1. */
export function configOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(1);
  }
}

interface Address {
  base: URL;
  basePath: string;
  baseUrl: string;
}

function addressOf({ BASE_URL, PORT }: Pick<z.infer<typeof Environment>, 'BASE_URL' | 'PORT'>): Address {
  const base = BASE_URL ?? new URL(`http://localhost:${PORT}`);
  const basePath = base.pathname.replace(/\/+$/, '');
  return { base, basePath, baseUrl: base.origin + basePath };
}

function toConfig(env: z.infer<typeof Environment>, given: Record<string, string | undefined>): Config {
  const { base, basePath, baseUrl } = addressOf(env);
  return {
    port: env.PORT,
    // A public BASE_URL means that a platform (Heroku, compose) routes requests here: then listen on all interfaces.
    host: env.HOST ?? (loopback.has(base.hostname) ? '127.0.0.1' : '0.0.0.0'),
    databaseUrl: env.DATABASE_URL,
    directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    preparedStatements: env.DATABASE_PREPARED_STATEMENTS === 'on',
    databasePoolSize: env.DATABASE_POOL_SIZE,
    baseUrl,
    basePath,
    local: loopback.has(base.hostname),
    development: loopback.has(base.hostname) && env.NODE_ENV !== 'production',
    https: base.protocol === 'https:',
    origin: base.origin,
    companionCookie: base.protocol === 'https:' && basePath === '',
    secretKey: env.SECRET_KEY,
    previousSecretKey: env.SECRET_KEY_PREVIOUS,
    trustProxy: env.TRUST_PROXY,
    hstsMaxAge: env.HSTS_MAX_AGE === 'off' ? null : env.HSTS_MAX_AGE,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN,
    metricsGather: env.METRICS_GATHER === 'database',
    workerPort: env.WORKER_PORT,
    workerConcurrency: env.WORKER_CONCURRENCY,
    rewrite: { apiKey: env.OPENAI_API_KEY, baseUrl: given.OPENAI_BASE_URL, model: env.REWRITE_MODEL, timeoutMs: env.REWRITE_TIMEOUT_MS },
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    webhookPrivateAddresses: env.WEBHOOK_PRIVATE_ADDRESSES === 'on',
    outboundOff: env.STINT_OUTBOUND === 'off',
    auditDays: env.AUDIT_DAYS,
    fileScan: env.FILES_SCAN_COMMAND ? { command: env.FILES_SCAN_COMMAND } : env.FILES_SCAN_URL ? { url: env.FILES_SCAN_URL } : null,
    filesQuotaBytes: env.FILES_QUOTA_MB * MIB,
    liveStreams: env.LIVE_STREAMS,
    limits: { rest: env.RATE_LIMIT_REST, mcp: env.RATE_LIMIT_MCP, pages: env.RATE_LIMIT_PAGES, signIn: env.RATE_LIMIT_SIGN_IN },
  };
}

export interface ConfigWarning {
  name: 'mail sender' | 'proxy' | 'outbound';
  message: string;
}

export function configWarnings({ mail, https, trustProxy, outboundOff }: Config): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  if (outboundOff)
    warnings.push({
      name: 'outbound',
      message: 'STINT_OUTBOUND is off: emails, webhooks and reminders are on hold; remove the setting to send them',
    });
  if (mail.smtpUrl && mail.from === LOCAL_SENDER)
    warnings.push({
      name: 'mail sender',
      message: `SMTP_URL is set and MAIL_FROM is not: emails are sent as ${LOCAL_SENDER}; set MAIL_FROM`,
    });
  if (https && trustProxy === 0)
    warnings.push({
      name: 'proxy',
      message: 'BASE_URL is https and TRUST_PROXY is 0: set TRUST_PROXY=1 if one proxy sets X-Forwarded-For and X-Forwarded-Proto',
    });
  return warnings;
}

export function checkConfig(environment: NodeJS.ProcessEnv, filledIn: Record<string, string> = {}): Config {
  return readConfig({ ...filledIn, ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== '')) });
}

const firstIssue = ({ issues }: z.ZodError) => elementAt(issues, 0);

/** One variable, for commands that need only that. Throws an Error that names the fault. */
function readVariable<T>(name: keyof typeof Environment.shape, schema: z.ZodType<T>, environment: NodeJS.ProcessEnv): T {
  const parsed = schema.safeParse(environment[name] || undefined);
  if (!parsed.success) throw new Error(`${name}: ${firstIssue(parsed.error).message}`);
  return parsed.data;
}

/** The database URL without a pooler. Undefined if unset. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv): string | undefined {
  const name = environment.DATABASE_URL && environment.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  return readVariable(name, databaseUrl.optional(), environment);
}

/** The public address, for commands that print links. Throws an Error that names the fault. */
export function readBaseUrl(environment: NodeJS.ProcessEnv): string {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.pick({ BASE_URL: true, PORT: true }).safeParse(given);
  if (parsed.success) return addressOf(parsed.data).baseUrl;
  const { path, message } = firstIssue(parsed.error);
  throw new Error(`${path.join('.')}: ${message}`);
}

/** Retention of audit rows in days, for `stint prune`. */
export const readAuditDays = (environment: NodeJS.ProcessEnv): number =>
  readVariable('AUDIT_DAYS', Environment.shape.AUDIT_DAYS, environment);

/** Most bytes of all files of an account, for `stint import`. */
export const readFilesQuota = (environment: NodeJS.ProcessEnv): number =>
  readVariable('FILES_QUOTA_MB', Environment.shape.FILES_QUOTA_MB, environment) * MIB;

/** `embeddedSecret`: the secret key of `npm start` in this folder. Throws an Error that names the fault. */
export function readWebhookSettings(embeddedSecret: string | undefined, environment: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries({ SECRET_KEY: embeddedSecret, ...environment }).filter(([, value]) => value));
  const parsed = Environment.pick({ SECRET_KEY: true, WEBHOOK_PRIVATE_ADDRESSES: true }).safeParse(given);
  if (parsed.success) return { secretKey: parsed.data.SECRET_KEY, privateAddresses: parsed.data.WEBHOOK_PRIVATE_ADDRESSES === 'on' };
  const issue = firstIssue(parsed.error);
  const name = String(issue.path[0]);
  throw new Error(
    given[name] === undefined ? `${name} is missing: set it to the value that the service runs with.` : `${name}: ${issue.message}`,
  );
}

/** Folders to resolve a relative path in, best first. npm runs scripts in the project's folder; INIT_CWD is where it was called. */
export function callersFolders(environment: NodeJS.ProcessEnv): string[] {
  return [environment.INIT_CWD, process.cwd()].filter((folder) => folder !== undefined);
}
