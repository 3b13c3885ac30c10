/** The processes under test, each with its own proxy to PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { type Proxy as DatabaseProxy, startProxy } from '../support/proxy.ts';
import { TEST_SECRET } from '../support/world.ts';
import type { Postgres } from './postgres.ts';

export type Kind = 'web' | 'worker';

/** One start of a process. */
export interface Life {
  spawned: Spawned;
  /** Of a listening web process, with the context path. */
  baseUrl: string | undefined;
  /** True if the harness ended it. */
  killed: boolean;
}

/** A role whose process may be killed and is then replaced. */
export interface Member {
  kind: Kind;
  name: string;
  proxy: DatabaseProxy;
  /** Its own proxy is cut off. Faults for all processes leave this proxy alone. */
  held: boolean;
  life: Life;
}

const FOREVER_MS = 2 ** 31 - 1;

export type Crew = Awaited<ReturnType<typeof startCrew>>;

export async function startCrew(postgres: Postgres, given: Record<string, string>, kinds: Kind[]) {
  const members: Member[] = [];
  /** Unexpected exits. */
  const unasked: string[] = [];
  const outputs: string[][] = [];

  function start(name: string, kind: Kind, proxy: DatabaseProxy): Life {
    const settings = { SECRET_KEY: TEST_SECRET, BASE_URL: 'http://localhost/stint', PORT: '0', LOG_LEVEL: 'debug' };
    const env = { ...settings, DATABASE_URL: proxy.url, ...given };
    const spawned = spawnNode([kind === 'web' ? 'src/web.ts' : 'workers/index.ts'], { env });
    const life: Life = { spawned, baseUrl: undefined, killed: false };
    outputs.push(spawned.lines);
    spawned.log({ msg: 'listening' }, FOREVER_MS).then(
      ({ port }) => {
        if (kind === 'web') life.baseUrl = `http://127.0.0.1:${port}/stint`;
      },
      () => {},
    );
    void spawned.exit(FOREVER_MS).then(({ code, signal }) => {
      if (!life.killed) unasked.push(`${name} ended (${signal ?? code}): ${spawned.lines.slice(-25).join('\n')}`);
    });
    return life;
  }

  for (const kind of kinds) {
    const proxy = await startProxy(postgres.url);
    const name = `${kind} ${members.length}`;
    members.push({ kind, name, proxy, held: false, life: start(name, kind, proxy) });
  }
  await Promise.all(members.map(({ life }) => life.spawned.log({ msg: 'listening' })));

  return {
    members,
    unasked,
    of: (kind: Kind): Member[] => members.filter((member) => member.kind === kind),

    /** Listening web processes. */
    listening: (): Life[] => members.map(({ life }) => life).filter(({ baseUrl, killed }) => baseUrl && !killed),

    /** Does nothing if the process is already being killed. */
    async kill(member: Member, downMs: number): Promise<void> {
      const { life, name, kind, proxy } = member;
      if (life.killed) return;
      life.killed = true;
      life.spawned.kill('SIGKILL');
      await life.spawned.exit();
      await sleep(downMs);
      member.life = start(name, kind, proxy);
      if (kind === 'web') await member.life.spawned.log({ msg: 'listening' });
    },

    /** Stops all processes, and counts those that don't exit cleanly. */
    async stop(): Promise<void> {
      await Promise.all(
        members.map(async ({ name, life }) => {
          life.killed = true;
          life.spawned.kill('SIGTERM');
          const exit = await life.spawned.exit(30_000).catch(() => null);
          if (exit?.code !== 0) unasked.push(`${name} did not leave on SIGTERM: ${exit?.signal ?? exit?.code ?? 'still there'}`);
        }),
      );
    },

    /** Kills everything at the end of the harness. */
    end(): void {
      for (const { life, proxy } of members) {
        life.killed = true;
        life.spawned.kill('SIGKILL');
        proxy.close();
      }
    },

    /** All output so far. */
    log: (): string[] => outputs.flat(),
  };
}
