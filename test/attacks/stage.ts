/** A deployed web process, an attacker with their own account, and another user at work. */
import { randomBytes } from 'node:crypto';
import type { ImportInput } from '../../src/import/schema.ts';
import { memoryOf } from '../../src/start/services.ts';
import type { Bench } from '../bench/bench.ts';
import { answered, spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { TEST_SECRET, world } from '../support/world.ts';
import { VICTIM } from './byGuesses.ts';
import { SESSIONS } from './bySaturation.ts';
import { costlyIds, costlyWorkspace } from './costly.ts';

export type Stage = Awaited<ReturnType<typeof makeStage>>;

const WATCHED = '--import=./test/attacks/turns.js';

/** An address that three accounts have. */
export const THRICE = 'thrice@x.example';

const everything = [
  'workspaces:read',
  ...['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments'].map((kind) => `${kind}:write`),
];
const all = { tasks: 'delete', requirements: 'delete', releases: 'delete', milestones: 'delete', time: 'write', plans: 'write' } as const;

/** Two accounts: `victim` works on a task, `attacker` has everything that a user may have, and a workspace of long items. */
function file(): ImportInput {
  const account = (name: string, items: object[]): ImportInput['accounts'][number] => ({
    ...{ name, users: [{ ref: name, email: `${name}@x.example`, name, accountRole: 'owner' as const }] },
    workspaces: [
      {
        ref: `${name}Place`,
        name,
        mcp: { enabled: true, limits: all },
        members: [{ user: name, role: 'owner' as const }],
        items: items as never,
      },
    ],
    restKeys: [{ ref: `${name}Key`, user: name, name, grants: everything as never }],
    connections: [{ ref: `${name}Agent`, user: name, name, workspaces: [`${name}Place`], permissions: all, notes: ['read', 'add'] }],
  });
  const hidden = [
    { ref: 'release', type: 'release', title: 'Release' },
    { ref: 'hidden', type: 'task', title: 'Below a release', fields: { releaseId: { ref: 'release' } } },
    { ref: 'archived', type: 'task', title: 'Archived', archived: true },
  ];
  const victim = account('victim', [{ ref: 'task', type: 'task', title: 'Work' }, ...hidden]);
  victim.users![0]!.password = VICTIM.password;
  // A user without access to releases, for the refusals.
  victim.users!.push({ ref: 'viewer', email: 'viewer@x.example', name: 'Viewer' });
  victim.workspaces![0]!.members!.push({ user: 'viewer', role: 'manager', access: { releases: 'none' } });
  // Enough keys that the working user never reaches a limit.
  for (const n of [1, 2, 3, 4]) victim.restKeys!.push({ ref: `victimKey${n}`, user: 'victim', name: 'Key', grants: everything as never });
  victim.restKeys!.push({ ref: 'viewerKey', user: 'viewer', name: 'Key', grants: everything as never });
  victim.connections!.push({ ref: 'viewerAgent', user: 'viewer', name: 'Agent', workspaces: ['victimPlace'], permissions: all });
  const description = 'x'.repeat(50_000);
  const long = Array.from({ length: 100 }, (_, n) => ({ ref: `long${n}`, type: 'task', title: `Long ${n}`, description }));
  const attacker = account('attacker', long);
  attacker.personalNotes = [...racedNotes('empty', 0), ...racedNotes('nearlyFull', 19)];
  const costly = costlyWorkspace('attacker');
  attacker.users!.push(...costly.users);
  attacker.workspaces!.push(...costly.workspaces);
  const third: ImportInput['accounts'][number] = { name: 'third', users: [] };
  for (const [n, { users }] of [victim, attacker, third].entries()) users!.push({ ref: `thrice${n}`, email: THRICE, name: 'Thrice' });
  return { accounts: [victim, attacker, third] };
}

const RACED = 60;
/** Notes of the attacker with so many files each. */
const racedNotes = (kind: string, files: number) =>
  Array.from({ length: RACED }, (_, n) => ({
    ...{ ref: `${kind}${n}`, user: 'attacker', html: '<p>Raced</p>' },
    attachments: Array.from({ length: files }, () => ({ name: 'a.txt', text: 'readable' })),
  }));

export async function makeStage(bench: Bench) {
  const databaseUrl = await bench.database();
  const refs = await world(databaseUrl, file());
  const fixtures = new Fixtures(databaseUrl);
  const settings = { DATABASE_URL: databaseUrl, PORT: '0', BASE_URL: 'http://localhost/stint', SECRET_KEY: TEST_SECRET };
  const metricsToken = randomBytes(16).toString('hex');
  const raced = (kind: string) => Array.from({ length: RACED }, (_, n) => refs.id(`${kind}${n}`));
  const cookies = await Promise.all(Array.from({ length: SESSIONS }, () => fixtures.session(refs.id('attacker'))));
  return {
    ...{ refs, fixtures, databaseUrl, metricsToken, agentKey: refs.key('victimAgent'), cookie: await fixtures.session(refs.id('victim')) },
    target: {
      ...{ port: 0, restKey: refs.key('attackerKey'), agentKey: refs.key('attackerAgent') },
      ...{ cookies, cookie: cookies[0]!, workspaceId: refs.id('attackerPlace') },
      ...{ emptyNotes: raced('empty'), nearlyFullNotes: raced('nearlyFull'), costly: costlyIds(refs), made: {} },
    },
    /** A new web process for every attack: memory is counted from its start. */
    async startWeb(env: Record<string, string> = {}) {
      // Limits as deployed, except for sign-ins: a storm comes from many addresses.
      const limits = { RATE_LIMIT_REST: '600', RATE_LIMIT_MCP: '300', RATE_LIMIT_PAGES: '600', RATE_LIMIT_SIGN_IN: '100000' };
      const process = spawnNode([...memoryOf.web, WATCHED, 'src/web.ts'], {
        env: { ...settings, METRICS_TOKEN: metricsToken, NODE_ENV: 'production', LOG_LEVEL: 'info', ...limits, ...env },
      });
      const { port } = (await process.log({ msg: 'listening' })) as { port: number };
      const baseUrl = `http://127.0.0.1:${port}/stint`;
      await answered(`${baseUrl}/readyz`);
      return { baseUrl, port, process };
    },
    async startWorker(env: Record<string, string>) {
      const worker = spawnNode([...memoryOf.worker, WATCHED, 'workers/index.ts'], {
        env: { ...settings, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
      });
      await worker.line(/^heap/);
      return worker;
    },
    end: () => fixtures.close(),
  };
}
