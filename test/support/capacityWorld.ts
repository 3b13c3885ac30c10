/** A team for tests of /capacity: Ana is overloaded next week, Bo is free, Rita oversees but may not write tasks, Vic oversees nothing. No
 *  worker runs: `compute` computes what is due. */
import { type Missing, readSnapshot, requestSnapshot } from '../../src/capacity/snapshots/queries.ts';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { PASSWORD } from './password.ts';
import { currentSuite } from './suite.ts';
import { runDueJobs } from './tasks.ts';
import { timeWorld, type World } from './timeWorld.ts';
import { world as made, oneWorkspace, startWeb, type Web, type WorldRefs } from './world.ts';

export const hostile = `<script>document.title='broken'</script>`;
export const monday = mondayOf(new Date().toISOString().slice(0, 10));
export const nextMonday = addDays(monday, 7);
const far = '2999-01-07';

export interface CapacityWorld {
  world: World;
  web: Web;
  refs: WorldRefs;
  /** Computes the forecasts of workspaces (0 for all of Ana's), and what other jobs are due. */
  compute(...workspaceIds: number[]): Promise<void>;
}

const task = (ref: string, title: string, release: string, fields: object) => ({
  ...{ ref, type: 'task' as const, title },
  fields: { releaseId: { ref: release }, ...fields },
});
const ofAna = { assigneeId: { ref: 'ana' }, startDate: nextMonday, dueDate: addDays(nextMonday, 4) };

function file() {
  const team = oneWorkspace(
    {
      members: [
        { user: 'bo', role: 'member' },
        { user: 'rita', role: 'member', timeOversight: true, access: { tasks: 'read' } },
        { user: 'vic', role: 'viewer', access: { goals: 'none' } },
      ],
      items: [
        { ref: 'launch', type: 'release', title: `Launch ${hostile}`, fields: { targetDate: addDays(nextMonday, 4) } },
        { ref: 'later', type: 'release', title: 'Later', fields: { targetDate: far } },
        { ref: 'easy', type: 'release', title: 'Easy', fields: { targetDate: far } },
        task('much', `Much ${hostile}`, 'launch', { ...ofAna, estimatedHours: 400 }),
        task('moved', 'Moved', 'launch', { ...ofAna, estimatedHours: 60 }),
        task('given', 'Given', 'launch', { ...ofAna, estimatedHours: 60 }),
        task('open', 'Unclear', 'later', {}),
        task('nobody', 'Nobody', 'later', { estimatedHours: 5 }),
        { ref: 'aim', type: 'goal', title: 'Secret aim' },
        task('small', 'Small', 'easy', { assigneeId: { ref: 'bo' }, estimatedHours: 4, dueDate: far }),
      ],
    } as never,
    {
      users: ['bo', 'rita', 'vic'].map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD })),
      workspaces: [{ ref: 'empty', name: 'Empty', members: [{ user: 'ana', role: 'owner' }] }],
    },
  );
  Object.assign(team.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD, weeklyHours: 10 });
  return team;
}

/** Call it at the top level of the file and read its values in hooks and tests. */
export function capacityWorld(): { readonly now: CapacityWorld } {
  const world = timeWorld();
  let now: CapacityWorld | undefined;
  currentSuite().before('a team', async () => {
    const refs = await made(world.url, file());
    const compute = async (...workspaceIds: number[]) => {
      for (const workspaceId of workspaceIds) {
        const caller = { kind: 'user' as const, userId: refs.id('ana') };
        const missing = await readSnapshot(world.db.pool(), caller, { workspaceId, known: [] });
        await requestSnapshot(world.db.pool(), missing as Missing);
      }
      await runDueJobs(world);
    };
    now = { world, refs, compute, web: await startWeb(world.url) };
  });
  currentSuite().after('stop', () => now?.web.stop());
  return {
    get now() {
      if (!now) throw new Error('capacityWorld: read it in hooks and tests only.');
      return now;
    },
  };
}
