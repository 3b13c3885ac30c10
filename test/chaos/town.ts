/** The users in the database: agents with a person each, an integration with a REST key, a browser user, a probe. */
import { migrate } from '../../src/database/migrate.ts';
import { oneWorkspace, world } from '../support/world.ts';
import { recurringRefs, recurringWork } from './recurring.ts';

export interface Town {
  workspaceId: number;
  ownerId: number;
  /** Agent keys, one person each. */
  agents: string[];
  /** People whose blocks start and stop their timers by themselves. */
  sleepers: string[];
  /** Agent key that only probes whether writing works. */
  probe: string;
  restKey: string;
  browser: { email: string; password: string };
  /** The first tasks of series. */
  recurring: number[];
}

const SLEEPERS = 6;

const everything = { tasks: 'delete', time: 'write', plans: 'write' } as const;
const notes = ['read', 'add', 'edit', 'delete'] as const;

export async function makeTown(databaseUrl: string, agents: number): Promise<Town> {
  await migrate(databaseUrl);
  const names = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}${n + 1}`);
  const people = [...names('agent', agents), ...names('sleeper', SLEEPERS), 'probe'];
  const browser = { email: 'pia@chaos.example', password: 'nobody guesses this sentence 4711' };
  const refs = await world(
    databaseUrl,
    oneWorkspace(
      { members: [...people.map((user) => ({ user, role: 'member' as const })), { user: 'pia', role: 'member' }], ...recurringWork('pia') },
      {
        users: [
          ...people.map((ref) => ({ ref, email: `${ref}@chaos.example`, name: ref })),
          { ref: 'pia', email: browser.email, name: 'Pia', password: browser.password },
        ],
        connections: people.map((user) => ({
          ref: `${user} key`,
          user,
          name: user,
          workspaces: ['apollo'],
          permissions: everything,
          notes: [...notes],
        })),
      },
    ),
  );
  return {
    workspaceId: refs.id('apollo'),
    ownerId: refs.id('ana'),
    agents: names('agent', agents).map((name) => refs.key(`${name} key`)),
    sleepers: names('sleeper', SLEEPERS).map((name) => refs.key(`${name} key`)),
    probe: refs.key('probe key'),
    restKey: refs.key('k1'),
    browser,
    recurring: recurringRefs.map((ref) => refs.id(ref)),
  };
}
