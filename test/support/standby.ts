/** A synchronous standby of an embedded PostgreSQL, for tests of a failover. */
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../src/embedded/startEmbedded.ts';
import { eventually } from './eventually.ts';
import { rowsAt } from './rowsAt.ts';

/** Copies the folder of a running primary, starts the copy as its standby, and makes every commit wait for it. */
export async function startStandby(primary: Embedded, from: string, to: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  await copy(primary.url, from, to);
  const { username, password, port } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
  const settings = [...(options.settings ?? []), `primary_conninfo=${source}`];
  const standby = await startEmbedded(to, { ...options, settings });
  await rowsAt(primary.url, `alter system set synchronous_standby_names = 'standby'`);
  await rowsAt(primary.url, 'select pg_reload_conf()');
  const state = async () => (await rowsAt(primary.url, 'select sync_state from pg_stat_replication'))[0]?.sync_state;
  if ((await eventually(state, (found) => found === 'sync')) !== 'sync') throw new Error('The standby does not follow its primary.');
  return standby;
}

/** Kills a server and its children. Its folder stays. */
export async function kill(server: Embedded): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  await server.stop();
}

export const promote = (standby: Embedded) => rowsAt(standby.url, 'select pg_promote()');

/** Does what pg_basebackup does, which the embedded PostgreSQL lacks. */
async function copy(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    mkdirSync(to, { mode: 0o700 });
    await promisify(execFile)('cp', ['-a', join(from, 'data'), join(from, 'password'), to]).catch(ignoreVanished);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    const data = join(to, 'data');
    rmSync(join(data, 'postmaster.pid'), { force: true });
    // The standby gets the log from the primary, and its own settings.
    for (const name of readdirSync(join(data, 'pg_wal'))) rmSync(join(data, 'pg_wal', name), { recursive: true });
    const own = { backup_label: rows[0].labelfile, 'standby.signal': '', 'postgresql.auto.conf': '' };
    const { uid, gid } = statSync(data);
    for (const [name, text] of Object.entries(own)) {
      writeFileSync(join(data, name), text);
      chownSync(join(data, name), uid, gid);
    }
  } finally {
    await client.end();
  }
}

/** A running server removes files. The write-ahead log compensates. */
function ignoreVanished({ stderr }: { stderr: string }): void {
  const others = stderr.split('\n').filter((line) => line && !line.includes('No such file or directory'));
  if (others.length) throw new Error(others.join('\n'));
}
