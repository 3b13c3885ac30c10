/** The processes under test with their PostgreSQL, a mail server and a webhook receiver, and the users in the database: agents with a
 *  person each, an integration with a REST key, a browser user, a probe. */
import { migrate } from '../../src/database/migrate.ts';
import { startReceiver } from '../support/receiver.ts';
import { mailServer } from '../support/smtp.ts';
import { oneWorkspace, world } from '../support/world.ts';
import { watchEverything } from './notifications.ts';
import { Postgres } from './postgres.ts';
import { type Kind, startCrew } from './processes.ts';
import { recurringRefs, recurringWork } from './recurring.ts';
import { makeWebhook } from './webhooks.ts';

const SLEEPERS = 6;

const permissions = { tasks: 'delete', time: 'write', plans: 'write' } as const;
const notes: ('read' | 'add' | 'edit' | 'delete')[] = ['read', 'add', 'edit', 'delete'];

interface Size {
  agents: number;
  processes: Kind[];
}

/** `env`: settings of all processes. `endings` gets functions that stop everything, the last first. */
export async function startTown({ agents, processes }: Size, env: Record<string, string>, endings: (() => unknown)[]) {
  const postgres = await Postgres.start();
  endings.push(() => postgres.end());
  const mail = await mailServer({ teardown: (end) => endings.push(end) });
  const people = await makePeople(postgres.url, agents);
  await watchEverything(postgres, people.browser.email, people.ownerId);
  const receiver = await startReceiver();
  endings.push(() => receiver.close());
  const webhookSecret = await makeWebhook(postgres.url, people.workspaceId, people.ownerId, receiver.url);
  // Last: workers make changes by themselves, and the webhook sends only those after it.
  const crew = await startCrew(postgres, { SMTP_URL: mail.url, WEBHOOK_PRIVATE_ADDRESSES: 'on', ...env }, processes);
  endings.push(() => crew.end());
  return { postgres, mail, people, receiver, webhookSecret, crew };
}

async function makePeople(databaseUrl: string, agents: number) {
  await migrate(databaseUrl);
  const names = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}${n + 1}`);
  const people = [...names('agent', agents), ...names('sleeper', SLEEPERS), 'probe'];
  const browser = { email: 'pia@chaos.example', password: 'nobody guesses this sentence 4711' };
  const members = [...people, 'pia'].map((user) => ({ user, role: 'member' as const }));
  const users = [
    ...people.map((ref) => ({ ref, email: `${ref}@chaos.example`, name: ref })),
    { ref: 'pia', email: browser.email, name: 'Pia', password: browser.password },
  ];
  const connections = people.map((user) => ({ ref: `${user} key`, user, name: user, workspaces: ['apollo'], permissions, notes }));
  const refs = await world(databaseUrl, oneWorkspace({ members, ...recurringWork('pia') }, { users, connections }));
  return {
    workspaceId: refs.id('apollo'),
    ownerId: refs.id('ana'),
    /** Agent keys, one person each. */
    agents: names('agent', agents).map((name) => refs.key(`${name} key`)),
    /** People whose blocks start and stop their timers by themselves. */
    sleepers: names('sleeper', SLEEPERS).map((name) => refs.key(`${name} key`)),
    /** Agent key that only probes whether writing works. */
    probe: refs.key('probe key'),
    restKey: refs.key('k1'),
    browser,
    /** The first tasks of series. */
    recurring: recurringRefs.map((ref) => refs.id(ref)),
  };
}
