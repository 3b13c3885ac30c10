/** Random changes between cases: rights, archiving, people who leave and return. */
import type { Random } from '../../chaos/random.ts';
import type { Fixtures } from '../../support/restWorld.ts';
import { everyGrant, randomGrants, randomLevels, randomMember, randomNoteRights } from './draw.ts';
import type { Levels, Town } from './town.ts';

type Change = (town: Town, random: Random, fixtures: Fixtures) => Promise<unknown>;

const levelBits = (param: string) => `(select coalesce(bit_or(resource_bits(key, value)), 0) from jsonb_each_text(${param}))`;
const moment = (state: string, word: string) => (state === word ? `now() - interval '1 second'` : 'null');

const membership: Change = async ({ accounts }, random, { sql }) => {
  const { users, workspaces } = random.pick(accounts);
  const [user, workspace] = [random.pick(users), random.pick(workspaces)];
  await sql('delete from memberships where user_id = $1 and workspace_id = $2', [user.id, workspace.id]);
  workspace.members.delete(user);
  if (random.chance(0.2)) return;
  const member = randomMember(random);
  const { role, overrides, timeOversight } = member;
  await sql(
    'insert into memberships (account_id, workspace_id, user_id, role, overrides, time_oversight) select account_id, id, $2, $3, $4, $5 from workspaces where id = $1',
    [workspace.id, user.id, role, JSON.stringify(overrides), timeOversight],
  );
  workspace.members.set(user, member);
  workspace.ever.add(user);
};

const archiving: Change = async ({ workspaces }, random, { sql }) => {
  const workspace = random.pick(workspaces);
  workspace.archived = !workspace.archived && random.chance(0.25);
  await sql(`update workspaces set archived_at = ${workspace.archived ? 'now()' : 'null'} where id = $1`, [workspace.id]);
};

const mcp: Change = async ({ workspaces }, random, { sql }) => {
  const workspace = random.pick(workspaces);
  workspace.mcp = { enabled: random.chance(0.8), limits: randomLevels(random, random.pick(['read', 'write', 'delete'])) };
  const { enabled, limits } = workspace.mcp;
  await sql(`update workspaces set mcp_enabled = $2, mcp_rights = ${levelBits('$3')} where id = $1`, [
    workspace.id,
    enabled,
    JSON.stringify(limits),
  ]);
};

const states = ['good', 'good', 'good', 'good', 'expired', 'revoked'] as const;

const key: Change = async ({ users }, random, { sql }) => {
  const { restKey } = random.pick(users);
  restKey.grants = randomGrants(random);
  restKey.state = random.pick(states);
  const bits = restKey.grants.reduce((all, grant) => all | bitsOf(grant), 1 << 26);
  await sql(
    `update rest_keys set rights = $2, expires_at = ${moment(restKey.state, 'expired')}, revoked_at = ${moment(restKey.state, 'revoked')} where id = $1`,
    [restKey.id, bits],
  );
};

const order = ['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments'];
function bitsOf(grant: string): number {
  const at = everyGrant.indexOf(grant);
  if (at < 2) return 1 << (24 + at);
  const [resource, level] = grant.split(':') as [string, string];
  return (level === 'write' ? 3 : 1) << (3 * order.indexOf(resource));
}

const personalNoteBits: Record<string, number> = { read: 1, add: 2, edit: 4, delete: 8 };

const connection: Change = async ({ users }, random, { sql }) => {
  const { agent } = random.pick(users);
  agent.permissions = randomLevels(random, random.pick(['read', 'write', 'delete']));
  agent.notes = randomNoteRights(random);
  agent.state = random.pick(states);
  const notes = agent.notes.reduce((all, right) => all | personalNoteBits[right]!, 0);
  // A missing resource means no access, so the draw names every resource.
  const levels: Levels = agent.permissions;
  await sql(
    `update connections set rights = ${levelBits('$2')}, note_rights = $3, expires_at = ${moment(agent.state, 'expired')}, revoked_at = ${moment(agent.state, 'revoked')} where id = $1`,
    [agent.id, JSON.stringify(levels), notes],
  );
};

const places: Change = async ({ users }, random, { sql }) => {
  const { agent, account } = random.pick(users);
  const workspace = random.pick(account.workspaces);
  const disconnected = random.chance(0.3);
  agent.places.set(workspace, { disconnected });
  await sql(
    `insert into connection_workspaces (account_id, connection_id, workspace_id, disconnected_at)
     select account_id, $1, id, ${disconnected ? 'now()' : 'null'} from workspaces where id = $2
     on conflict (connection_id, workspace_id) do update set disconnected_at = excluded.disconnected_at`,
    [agent.id, workspace.id],
  );
};

const person: Change = async ({ users }, random, { sql }) => {
  const user = random.pick(users);
  user.active = random.chance(0.8);
  user.accountRole = random.pick(['owner', 'admin', 'member', 'member', 'member']);
  await sql('update users set active = $2, account_role = $3 where id = $1', [user.id, user.active, user.accountRole]);
};

const item: Change = async (town, random, { sql }) => {
  const one = random.pick(town.items().filter(({ archived }) => archived === random.chance(0.6)));
  if (!one) return;
  one.archived = !one.archived;
  // Restoring an item raises its version.
  await sql(`update items set archived_at = ${one.archived ? 'now()' : 'null, version = version + 1'} where id = $1`, [one.id]);
};

const protection: Change = async ({ users }, random, { sql }) => {
  const user = random.pick(users);
  const note = random.pick(user.notes.filter((one) => !one.deleted && one.protection !== 'encrypted'));
  if (!note) return;
  note.protection = random.pick(['none', 'none', 'locked']);
  await sql('update personal_notes set protection = $2 where id = $1', [note.id, note.protection]);
};

const changes: Change[] = [
  membership,
  membership,
  membership,
  archiving,
  mcp,
  key,
  key,
  connection,
  connection,
  places,
  person,
  item,
  item,
  protection,
];

export async function shift(town: Town, random: Random, fixtures: Fixtures): Promise<void> {
  const bound = { ...fixtures, sql: fixtures.sql.bind(fixtures) } as Fixtures;
  await random.pick(changes)(town, random, bound);
}
