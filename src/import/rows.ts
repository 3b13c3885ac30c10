import { agentResources, rightsOfGrants, rightsOfLevels } from '../access/rights.ts';
import { weeklyMinutes } from '../accounts/schema.ts';
import { WORKWEEK_BITS, weekdayBits } from '../accounts/workingTimes.ts';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import { spanOf } from '../plans/schema.ts';
import { InvalidRequest, type Path, withPath } from '../values/errors.ts';
import { elementAt, valueAt } from '../values/records.ts';
import { type ImportTarget, idOf, idsOf, scopeOf, type WorkspaceImport } from './home.ts';
import { asBytea, type Row } from './queries.ts';
import type { EntryOf } from './schema.ts';

export function userRows(at: ImportTarget, hashes: ReadonlyMap<number, string> | undefined): Row[] {
  const ids = idsOf(at, 'users');
  return at.account.users.map((user, n) => ({
    id: ids[n],
    account_id: at.accountId,
    email: user.email,
    name: user.name,
    kind: user.kind,
    account_role: user.accountRole,
    password_hash: hashes?.get(n) ?? null,
    timezone: user.timezone,
    weekly_minutes: weeklyMinutes(user.weeklyHours),
    weekdays: user.workingDays ? weekdayBits(user.workingDays) : WORKWEEK_BITS,
    holiday_region: user.holidayRegion,
    active: user.active,
  }));
}

export function hoursRows(at: ImportTarget): Row[] {
  const ids = idsOf(at, 'users');
  return at.account.users.flatMap(({ hours }, n) =>
    hours.map(({ from, weeklyHours, workingDays }) => ({
      account_id: at.accountId,
      user_id: ids[n],
      starts_on: from,
      weekly_minutes: weeklyMinutes(weeklyHours),
      weekdays: weekdayBits(workingDays),
    })),
  );
}

export function absenceRows(at: ImportTarget): Row[] {
  const ids = idsOf(at, 'users');
  return at.account.users.flatMap(({ absences }, n) =>
    absences.map(({ from, to, ...absence }) => ({ account_id: at.accountId, user_id: ids[n], first_day: from, last_day: to, ...absence })),
  );
}

export function workspaceRows(at: ImportTarget): Row[] {
  const ids = idsOf(at, 'workspaces');
  return at.account.workspaces.map((workspace, n) => ({
    id: ids[n],
    account_id: at.accountId,
    name: workspace.name,
    sample: workspace.sample,
    archived_at: workspace.archived ? new Date().toISOString() : null,
    mcp_enabled: workspace.mcp.enabled,
    mcp_rights: rightsOfLevels(workspace.mcp.limits),
    forecasts: workspace.forecasts,
  }));
}

export function memberRows(at: WorkspaceImport): Row[] {
  const seen = new Set<string>();
  return at.workspace.members.map(({ user, role, access, timeOversight }, n) => {
    const path = [...at.path, 'members', n, 'user'];
    if (seen.has(user)) throw new InvalidRequest(path, `'${user}' is already a member; name each user once.`);
    seen.add(user);
    return {
      ...scopeOf(at),
      user_id: idOf(at, path, user, 'user'),
      role,
      overrides: access,
      time_oversight: timeOversight,
    };
  });
}

/** Added statuses come after those that every workspace starts with, in file order. */
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

function both(at: WorkspaceImport, path: Path, names: { user: string; item: string }, userField = 'user') {
  return {
    ...scopeOf(at),
    user_id: idOf(at, [...path, userField], names.user, 'user'),
    item_id: idOf(at, [...path, 'item'], names.item, 'item'),
  };
}

export function* commentRows(at: WorkspaceImport): Generator<Row> {
  const now = new Date().toISOString();
  for (const { entry, path, n } of at.file.entries('comments', at.path)) {
    const { item, author, body, originalBody, createdAt } = entry;
    const { user_id: author_id, ...rest } = both(at, path, { user: author, item }, 'author');
    const id = idsOf(at, 'comments')[n];
    yield { id, ...rest, author_id, body, original_body: originalBody ?? null, created_at: createdAt ?? now };
  }
}

/** Call it after the comments are written. Throws InvalidRequest if a user gives a comment the same reaction twice. */
export function* reactionRows(at: WorkspaceImport): Generator<Row> {
  const now = new Date().toISOString();
  for (const { entry, path, n } of at.file.entries('comments', at.path)) {
    const seen = new Set<string>();
    for (const [r, { user, reaction, createdAt }] of entry.reactions.entries()) {
      const place = [...path, 'reactions', r, 'user'];
      const user_id = idOf(at, place, user, 'user');
      const key = `${user_id} ${reaction}`;
      if (seen.has(key)) throw new InvalidRequest(place, `'${user}' already has the reaction ${reaction}; give each reaction once.`);
      seen.add(key);
      yield { account_id: at.accountId, comment_id: idsOf(at, 'comments')[n], user_id, reaction, created_at: createdAt ?? now };
    }
  }
}

const DAY_MINUTES = 1_440;

export type HeldMinutes = Map<number, Map<string, number>>;

/** Throws InvalidRequest if a user's day has more than 24 hours of manual entries. `held`: existing minutes. */
export function* timeRows(at: WorkspaceImport, held: HeldMinutes): Generator<Row> {
  for (const { entry, path } of at.file.entries('timeEntries', at.path)) {
    const { startedAt, endedAt, date, minutes, note } = entry;
    const row = { ...both(at, path, entry), note, written_in: writtenIn(at, path, entry) };
    if (startedAt !== undefined) {
      yield { ...row, ...timerOf(startedAt, endedAt!) };
      continue;
    }
    if (addMinutes(held, row.user_id, date!, minutes!) > DAY_MINUTES)
      throw new InvalidRequest([...path, 'minutes'], `'${entry.user}' has more than 1440 minutes on ${date}; give less.`);
    yield { ...row, kind: 'manual', day: date, minutes };
  }
}

/** 0: in a workspace that is not in the file (sql/0132). */
function writtenIn(at: WorkspaceImport, path: Path, { writtenIn: ref, writtenElsewhere }: EntryOf<'timeEntries'>): number | null {
  if (ref === undefined) return writtenElsewhere ? 0 : null;
  const id = idOf(at, [...path, 'writtenIn'], ref, 'workspace');
  return id === at.workspaceId ? null : id;
}

export function addMinutes(held: HeldMinutes, userId: number, day: string, minutes: number): number {
  const days = held.get(userId) ?? new Map<string, number>();
  held.set(userId, days);
  const total = (days.get(day) ?? 0) + minutes;
  days.set(day, total);
  return total;
}

/** Times are in whole milliseconds, like those of timers. `day` is the UTC day of the start. */
function timerOf(startedAt: string, endedAt: string): Row {
  const [from, to] = [new Date(startedAt), new Date(endedAt)];
  const minutes = Math.floor((to.getTime() - from.getTime()) / 60_000);
  return { kind: 'timer', started_at: from.toISOString(), ended_at: to.toISOString(), day: from.toISOString().slice(0, 10), minutes };
}

const MISSED = 'It was missed before it was imported.';

export function* blockRows(at: WorkspaceImport): Generator<Row & { id: number }> {
  for (const { entry: block, path, n } of at.file.entries('planBlocks', at.path)) {
    const { user_id, ...rest } = both(at, path, block);
    const timezone = block.timezone ?? valueAt(at.zones, user_id);
    const { startsAt, endsAt } = withPath(path, () => spanOf(block, timezone));
    yield {
      id: elementAt(idsOf(at, 'planBlocks'), n),
      ...rest,
      user_id,
      start_local: block.startLocal,
      end_local: block.endLocal,
      starts_at: startsAt,
      ends_at: endsAt,
      timezone,
      note: block.note,
      auto_start: block.autoStart,
      auto_stop: block.autoStop,
      remind_start: block.remindStart,
      remind_minutes: block.remindMinutes,
      remind_end: block.remindEnd,
      state: block.state,
      reason: block.state === 'missed' ? (block.reason ?? MISSED) : null,
    };
  }
}

export function keyRows(at: ImportTarget, hashOf: (n: number) => Buffer): Row[] {
  const ids = idsOf(at, 'restKeys');
  return at.account.restKeys.map((key, n) => ({
    id: ids[n],
    account_id: at.accountId,
    user_id: idOf(at, [...at.path, 'restKeys', n, 'user'], key.user, 'user'),
    name: key.name,
    key_hash: asBytea(hashOf(n)),
    rights: rightsOfGrants(key.grants),
    expires_at: key.expiresAt ?? null,
  }));
}

const readEverywhere = Object.fromEntries(agentResources.map((resource) => [resource, 'read'] as const));

export function connectionRows(at: ImportTarget, hashOf: (n: number) => Buffer): Row[] {
  const ids = idsOf(at, 'connections');
  return at.account.connections.map((connection, n) => {
    const userId = idOf(at, [...at.path, 'connections', n, 'user'], connection.user, 'user');
    return {
      id: ids[n],
      account_id: at.accountId,
      user_id: userId,
      name: connection.name,
      key_hash: asBytea(hashOf(n)),
      rights: rightsOfLevels({ ...readEverywhere, ...connection.permissions }),
      // In an existing account, only its users can grant access to their notes (behaviour §11.2).
      note_rights: at.account.existing ? 0 : personalNoteBits(connection.notes),
      timezone: connection.timezone ?? at.zones.get(userId),
      plain_language: connection.plainLanguage,
      expires_at: connection.expiresAt ?? null,
    };
  });
}

export function connectionWorkspaceRows(at: ImportTarget): Row[] {
  const ids = idsOf(at, 'connections');
  return at.account.connections.flatMap((connection, n) =>
    [...new Set(connection.workspaces)].map((ref, w) => ({
      account_id: at.accountId,
      connection_id: ids[n],
      workspace_id: idOf(at, [...at.path, 'connections', n, 'workspaces', w], ref, 'workspace'),
    })),
  );
}
