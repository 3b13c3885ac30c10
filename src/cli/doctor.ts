/** `doctor`: checks the installation and says how to repair it (behaviour §2.4). */
import { type Config, checkConfig, configWarnings } from '../config.ts';
import { connectDb, type Db } from '../database/db.ts';
import { explainTrouble } from '../database/trouble.ts';
import { messageOf } from '../values/errors.ts';
import { type Context, command } from './command.ts';
import { type Check, checkDatabase, poolerFaults } from './doctorChecks.ts';

export const doctor = command({
  summary: 'check configuration, database, migrations, workers and job queue; exit code 1 on errors',
  options: {},
  async run(context) {
    const checks = await examine(context);
    return { ok: checks.every((check) => check.ok), checks };
  },
  print: ({ checks }) =>
    checks.map(({ name, ok, warning, message }) => `${ok ? (warning ? 'warn ' : 'ok   ') : 'WRONG'} ${name}: ${message}`).join('\n'),
});

async function examine(context: Context): Promise<Check[]> {
  let databaseUrl: string;
  try {
    databaseUrl = context.databaseUrl();
  } catch (error) {
    const database: Check = { name: 'database', ok: false, message: messageOf(error) };
    return [...checkConfiguration(context, 'postgres://localhost', isEmbedded(context)).checks, database];
  }
  const { checks, config } = checkConfiguration(context, databaseUrl, context.embedded());
  let db: Db;
  try {
    db = await connectDb(databaseUrl, 1);
  } catch (error) {
    return [...checks, { name: 'database', ok: false, message: explainTrouble(error) }];
  }
  try {
    return [...checks, ...(await checkPooler(config)), ...(await checkDatabase(db, config?.outboundOff))];
  } finally {
    await db.close();
  }
}

/** A configured address that is invalid is not embedded. */
function isEmbedded(context: Context): boolean {
  try {
    return context.embedded();
  } catch {
    return false;
  }
}

/** `npm start` creates the secret key and the database's address itself. */
function checkConfiguration({ environment }: Context, databaseUrl: string, embedded: boolean): { checks: Check[]; config?: Config } {
  const name = 'configuration';
  try {
    const config = checkConfig(environment, embedded ? { DATABASE_URL: databaseUrl, SECRET_KEY: '0'.repeat(64) } : {});
    const warnings = configWarnings(config).map((warning): Check => ({ ...warning, ok: true, warning: true }));
    return { checks: [{ name, ok: true, message: 'complete' }, ...warnings], config };
  } catch (error) {
    return { checks: [{ name, ok: false, message: messageOf(error) }] };
  }
}

async function checkPooler(config: Config | undefined): Promise<Check[]> {
  if (!config || config.directUrl === config.databaseUrl) return [];
  const faults = await poolerFaults(config);
  const todo = 'set timeouts for each connection that the pooler makes (PgBouncer: connect_query), see A pooler in docs/operations.md';
  return [
    {
      name: 'pooler',
      ok: faults.length === 0,
      message: faults.length ? `${faults.join('; ')}: ${todo}` : 'its sessions have the required settings',
    },
  ];
}
