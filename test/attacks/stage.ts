/** A deployed web process, an attacker with their own account, and another user at work. */
import { mallocEnv, memoryOf } from '../../src/start/services.ts';
import type { Bench } from '../bench/bench.ts';
import { credentialsOf } from '../bench/places.ts';
import { METRICS_ENV } from '../chaos/scrape.ts';
import { Fixtures } from '../support/restWorld.ts';
import { oneWorkspace, spawnWeb, TEST_SECRET, type WorldRefs, world } from '../support/world.ts';
import type { Target } from './attack.ts';
import { makeCostly } from './costly.ts';

export type Stage = Awaited<ReturnType<typeof makeStage>>;

/** Enough keys that the working user never reaches a limit. */
export const victimKeys = ['victimKey1', 'victimKey2', 'victimKey3', 'victimKey4'];

/** The victim Ana with a task, and a viewer without access to releases, for the refusals. */
function makeVictims(databaseUrl: string): Promise<WorldRefs> {
  const grants = ['workspaces:read', 'tasks:write', 'comments:write'] as const;
  const restKeys = [...victimKeys.map((ref) => ({ ref, user: 'ana' })), { ref: 'viewerKey', user: 'viewer' }];
  const file = oneWorkspace(
    {
      members: [{ user: 'viewer', role: 'manager', access: { releases: 'none' } }],
      items: [
        { ref: 'task', type: 'task', title: 'Work' },
        { ref: 'release', type: 'release', title: 'Release' },
        { ref: 'hidden', type: 'task', title: 'Below a release', fields: { releaseId: { ref: 'release' } } },
        { ref: 'archived', type: 'task', title: 'Archived', archived: true },
      ],
    },
    {
      users: [{ ref: 'viewer', email: 'viewer@x.example', name: 'Viewer' }],
      restKeys: restKeys.map((key) => ({ ...key, name: 'Key', grants: [...grants] })),
      connections: [
        {
          ...{ ref: 'viewerAgent', user: 'viewer', name: 'Agent', workspaces: ['apollo'] },
          permissions: { tasks: 'delete', time: 'write' },
        },
      ],
    },
  );
  return world(databaseUrl, file);
}

/** The attacker's costly workspace, another one of long items, and credentials for both. */
async function makeAttacker(bench: Bench, databaseUrl: string, fixtures: Fixtures): Promise<Omit<Target, 'port'>> {
  const { bulk, costly } = await makeCostly(databaseUrl, await bench.client(databaseUrl));
  const workspaceId = await fixtures.workspace(bulk.accountId);
  await fixtures.member(workspaceId, bulk.userId);
  await fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, description, status, status_key)
     select $1, $2, 'task', 'Long ' || n, repeat('x', 50000), 'planned', 'planned' from generate_series(1, 100) n`,
    [bulk.accountId, workspaceId],
  );
  const { agent, cookie } = await credentialsOf(databaseUrl, bulk);
  return { restKey: bulk.key, agentKey: agent, cookie: cookie.Cookie, workspaceId, costly, made: {} };
}

export async function makeStage(bench: Bench) {
  const databaseUrl = await bench.database();
  const fixtures = new Fixtures(databaseUrl);
  bench.later(() => fixtures.close());
  const refs = await makeVictims(databaseUrl);
  const target = await makeAttacker(bench, databaseUrl, fixtures);
  const cookie = { Cookie: `JSESSIONID=${await fixtures.session(refs.id('ana'))}` };
  const options = (memory: readonly string[]) => [process.env.NODE_OPTIONS, ...memory, '--import=./test/attacks/turns.js'].join(' ');
  return {
    ...{ refs, cookie, target, fixtures, databaseUrl },
    /** A new web process for every attack: memory is counted from its start. Limits as deployed, except for sign-ins: a storm comes from
     *  many addresses. */
    startWeb: (env: Record<string, string> = {}) =>
      spawnWeb(databaseUrl, {
        ...{ ...METRICS_ENV, ...mallocEnv, NODE_ENV: 'production', NODE_OPTIONS: options(memoryOf.web) },
        ...{ RATE_LIMIT_REST: '600', RATE_LIMIT_MCP: '300', RATE_LIMIT_PAGES: '600', RATE_LIMIT_SIGN_IN: '100000', ...env },
      }),
    startWorker: (env: Record<string, string> = {}) =>
      bench.worker(databaseUrl, { env: { NODE_OPTIONS: options(memoryOf.worker), SECRET_KEY: TEST_SECRET, ...env } }),
  };
}
