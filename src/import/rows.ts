/** Everything of a file but its items, as rows. */
import { agentResources, rightsOfGrants, rightsOfLevels } from '../access/rights.ts';
import { weeklyMinutes } from '../accounts/schema.ts';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import { spanOf } from '../plans/span.ts';
import { InvalidRequest, inside, type Path } from '../values/errors.ts';
import type { WorkspaceImport } from './items.ts';
import { asBytea, type Row } from './queries.ts';
import type { AccountEntry } from './schema.ts';

/** Where the entries of one account stand. */
export type Home = Omit<WorkspaceImport, 'workspace'>;

type User = AccountEntry['users'][number];

export function userRows({ account, idOf }: Home, hashOf: (user: User) => string | null): Row[] {
  return account.users.map((user) => ({
    id: idOf(user),
    account_id: idOf(account),
    email: user.email,
    name: user.name,
    kind: user.kind,
    account_role: user.accountRole,
    password_hash: hashOf(user),
    timezone: user.timezone,
    weekly_minutes: weeklyMinutes(user.weeklyHours),
    active: user.active,
  }));
}

export function workspaceRows({ account, idOf }: Home): Row[] {
  return account.workspaces.map((workspace) => ({
    id: idOf(workspace),
    account_id: idOf(account),
    name: workspace.name,
    sample: workspace.sample,
    archived_at: workspace.archived ? new Date().toISOString() : null,
    mcp_enabled: workspace.mcp.enabled,
    mcp_rights: rightsOfLevels(workspace.mcp.limits),
  }));
}

const scopeOf = ({ account, workspace, idOf }: WorkspaceImport) => ({ account_id: idOf(account), workspace_id: idOf(workspace) });

export function memberRows(at: WorkspaceImport): Row[] {
  const seen = new Set<string>();
  return at.workspace.members.map(({ user, role, access, timeOversight }, n) => {
    const path = [...at.path, 'members', n, 'user'];
    if (seen.has(user)) throw new InvalidRequest(path, `'${user}' is a member already; name everybody once.`);
    seen.add(user);
    return {
      ...scopeOf(at),
      user_id: at.idOf(at.refs.find(path, user, 'user', at)),
      role,
      overrides: access,
      time_oversight: timeOversight,
    };
  });
}

/** What is added comes after the ones that every workspace starts with, in the order of the file. */
export function statusRows(at: WorkspaceImport): Row[] {
  return at.workspace.statuses.map((status, n) => ({
    ...scopeOf(at),
    ...status,
    position: (at.workspace.workflow === 'whole' ? 0 : 100) + n,
  }));
}

export function priorityRows(at: WorkspaceImport): Row[] {
  return at.workspace.priorities.map(({ default: isDefault, ...priority }) => ({ ...scopeOf(at), ...priority, is_default: isDefault }));
}

/** The ids of the user and the item that an entry names. */
function both(at: WorkspaceImport, path: Path, names: { user: string; item: string }, userField = 'user') {
  return {
    ...scopeOf(at),
    user_id: at.idOf(at.refs.find([...path, userField], names.user, 'user', at)),
    item_id: at.idOf(at.refs.find([...path, 'item'], names.item, 'item', at)),
  };
}

export function commentRows(at: WorkspaceImport): Row[] {
  const now = new Date().toISOString();
  return at.workspace.comments.map(({ item, author, body, originalBody, createdAt }, n) => {
    const { user_id: author_id, ...rest } = both(at, [...at.path, 'comments', n], { user: author, item }, 'author');
    return { ...rest, author_id, body, original_body: originalBody ?? null, created_at: createdAt ?? now };
  });
}

const DAY_MINUTES = 1_440;

/** Throws InvalidRequest when a person's day holds more than a day of entries by hand. `totals`: what days hold already, by dayKey. */
export function timeRows(at: WorkspaceImport, totals: Map<string, number>): Row[] {
  return at.workspace.timeEntries.map((entry, n) => {
    const path = [...at.path, 'timeEntries', n];
    const { startedAt, endedAt, date, minutes, note } = entry;
    const row = { ...both(at, path, entry), note };
    if (startedAt !== undefined) return { ...row, ...timerOf(startedAt, endedAt!) };
    const key = dayKey(row.user_id, date!);
    const total = (totals.get(key) ?? 0) + minutes!;
    if (total > DAY_MINUTES)
      throw new InvalidRequest([...path, 'minutes'], `'${entry.user}' has more than 1440 minutes on ${date}; give less.`);
    totals.set(key, total);
    return { ...row, kind: 'manual', day: date, minutes };
  });
}

export const dayKey = (userId: number, day: string) => `${userId} ${day}`;

/** In whole milliseconds, as timers are kept; the day is that of their start in UTC. */
function timerOf(startedAt: string, endedAt: string): Row {
  const [from, to] = [new Date(startedAt), new Date(endedAt)];
  const minutes = Math.floor((to.getTime() - from.getTime()) / 60_000);
  return { kind: 'timer', started_at: from.toISOString(), ended_at: to.toISOString(), day: from.toISOString().slice(0, 10), minutes };
}

const MISSED = 'It was missed before it was imported.';

export function blockRows(at: WorkspaceImport): Row[] {
  return at.workspace.planBlocks.map((block, n) => {
    const path = [...at.path, 'planBlocks', n];
    const timezone = block.timezone ?? at.zoneOf(at.refs.find([...path, 'user'], block.user, 'user', at));
    const { startsAt, endsAt } = inside(path, () => spanOf(block, timezone));
    return {
      id: at.idOf(block),
      ...both(at, path, block),
      start_local: block.startLocal,
      end_local: block.endLocal,
      starts_at: startsAt,
      ends_at: endsAt,
      timezone,
      note: block.note,
      auto_start: block.autoStart,
      auto_stop: block.autoStop,
      remind_start: block.remindStart,
      remind_end: block.remindEnd,
      state: block.state,
      reason: block.state === 'missed' ? (block.reason ?? MISSED) : null,
    };
  });
}

export function keyRows(at: Home, hashOf: (entry: object) => Buffer): Row[] {
  return at.account.restKeys.map((key, n) => ({
    id: at.idOf(key),
    account_id: at.idOf(at.account),
    user_id: at.idOf(at.refs.find([...at.path, 'restKeys', n, 'user'], key.user, 'user', at)),
    name: key.name,
    key_hash: asBytea(hashOf(key)),
    rights: rightsOfGrants(key.grants),
    expires_at: key.expiresAt ?? null,
  }));
}

const readEverywhere = Object.fromEntries(agentResources.map((resource) => [resource, 'read'] as const));

export function connectionRows(at: Home, hashOf: (entry: object) => Buffer): Row[] {
  return at.account.connections.map((connection, n) => {
    const owner = at.refs.find<object>([...at.path, 'connections', n, 'user'], connection.user, 'user', at);
    return {
      id: at.idOf(connection),
      account_id: at.idOf(at.account),
      user_id: at.idOf(owner),
      name: connection.name,
      key_hash: asBytea(hashOf(connection)),
      rights: rightsOfLevels({ ...readEverywhere, ...connection.permissions }),
      note_rights: personalNoteBits(connection.notes),
      timezone: connection.timezone ?? at.zoneOf(owner),
      plain_language: connection.plainLanguage,
      expires_at: connection.expiresAt ?? null,
    };
  });
}

export function connectionWorkspaceRows(at: Home): Row[] {
  return at.account.connections.flatMap((connection, n) =>
    [...new Set(connection.workspaces)].map((ref, w) => ({
      account_id: at.idOf(at.account),
      connection_id: at.idOf(connection),
      workspace_id: at.idOf(at.refs.find([...at.path, 'connections', n, 'workspaces', w], ref, 'workspace', at)),
    })),
  );
}
