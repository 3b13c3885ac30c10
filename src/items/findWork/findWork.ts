/** svc_find_work: open or closed work by filters, in id order, page by page (behaviour §7.22, §7.24). */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { ItemType } from '../../access/rights.ts';
import type { Tx } from '../../database/db.ts';
import { JsonText } from '../../operations/json.ts';
import type { Read } from '../../operations/operation.ts';
import { CalendarDate, dueWindow, dueWindows, todayIn } from '../../values/dates.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { AfterId, Id, Text } from '../../values/text.ts';
import { LabelName } from '../../workspaces/labelSchema.ts';
import { closedStatuses, statuses } from '../../workspaces/statuses.ts';
import { readLabelsNamed } from '../relationQueries.ts';
import { FIRST_DATE, LAST_DATE, type LabelsWanted } from './filterQueries.ts';
import { groupings, sums } from './groupQueries.ts';
import { type FoundWork, type GroupedWork, type NamedItems, readClock, readGroups, readWork, type WorkWanted } from './queries.ts';
import { hasTooManyPhrases, MOST_PHRASES } from './searchPhrases.ts';
import { WorkRow } from './workRowQueries.ts';

const aPage = 'give a whole number from 1 to 100';
/** Agents can't access goals (behaviour §3.8). */
const types = ['task', 'requirement', 'release', 'milestone'] as const;
const columns = Object.keys(WorkRow.shape);
const Input = z
  .strictObject({
    workspaceId: Id.optional().meta({ description: 'Default: all your workspaces' }),
    type: z.enum(types).optional(),
    assignee: z
      .union([z.enum(['me', 'all', 'unassigned']), Id], 'give one of: me, all, unassigned, or the id of a user')
      .optional()
      .meta({ description: 'or a user id. Default me; all with underId, ids or groupBy' }),
    status: z
      .enum(['open', 'closed', 'all', ...statuses])
      .optional()
      .meta({ description: 'Default open; all with ids' }),
    ids: z
      .array(Id, { error: 'give a list of 1 to 100 ids' })
      .min(1, 'give 1 to 100 ids')
      .max(100, 'give at most 100 ids')
      .optional()
      .meta({ description: 'Only these items; hidden ones are left out' }),
    underId: Id.optional().meta({ description: 'All below this item, at any depth' }),
    statusKey: Text(1, 100).optional(),
    priorityKey: Text(1, 100).optional(),
    label: LabelName.optional(),
    search: Text(1, 300)
      .refine((search) => !hasTooManyPhrases(search), `give at most ${MOST_PHRASES} words, or put "quotes" around a phrase`)
      .optional()
      .meta({ description: 'All words must occur, ignoring case. "quoted phrase"; a or b; an item number' }),
    searchIn: z.enum(['text', 'all']).optional().meta({ description: 'all includes notes. Default text' }),
    requirementId: Id.optional(),
    releaseId: Id.optional(),
    dueWindow: z.enum(dueWindows).optional().meta({ description: 'Weeks run Monday to Sunday' }),
    dueFrom: CalendarDate.optional(),
    dueTo: CalendarDate.optional(),
    afterId: AfterId.meta({ description: 'nextAfterId of the previous page' }),
    fields: z
      .array(z.string().refine((name) => columns.includes(name), `give properties of a row: ${columns.join(', ')}`))
      .min(1, 'name at least one')
      .max(columns.length)
      .optional()
      .meta({ description: 'Only these properties of each row, and id' }),
    groupBy: z.enum(groupings).optional().meta({ description: 'Returns counts per group instead of rows' }),
    sum: z.enum(sums).optional().meta({ description: 'Adds hours per group' }),
    limit: z.int(aPage).min(1, aPage).max(100, aPage).optional().meta({ description: 'Default 50; with ids 100' }),
  })
  .check(({ value, issues }) => {
    const { dueWindow: window, dueFrom: from, dueTo: to, groupBy } = value;
    const fault = (path: string, message: string) => issues.push({ code: 'custom', path: [path], message, input: path });
    if (groupBy === undefined && value.sum !== undefined) fault('sum', 'give groupBy too');
    for (const name of ['fields', 'limit'] as const) {
      if (groupBy !== undefined && value[name] !== undefined) fault(name, 'does not apply to groupBy; leave it out');
    }
    if (from === undefined && to === undefined) return;
    if (window !== undefined) fault('dueWindow', 'give either a window, or dueFrom and dueTo');
    else if (from !== undefined && to !== undefined && from > to) fault('dueFrom', 'must not be after dueTo');
  });
type Input = z.infer<typeof Input>;

export interface FoundPage {
  items: WorkRow[];
  hasMore: boolean;
  nextAfterId: number;
  dueWindow: Window | null;
  searched?: string[];
}

interface FoundGroups {
  groups: object[];
  total: object;
  groupsMore?: true;
  dueWindow: Window | null;
}

/** Maximum number of items to count. Above it the call fails, because partial sums would be wrong. */
const MOST_GROUPED = 10_000;
const most = { limit: MOST_GROUPED, few: MOST_GROUPED };

export const findWork: Read<Input, FoundPage | FoundGroups> = {
  name: 'findWork',
  input: Input,
  searches: ({ search }) => search !== undefined,
  async run(tx, caller, input) {
    const window = asksForDates(input) ? windowOf(input, await readClock(tx, caller)) : null;
    const labels = input.label === undefined ? undefined : await labelsNamed(tx, caller, input.label, input.workspaceId);
    const wanted = wantedOf(input, window, labels);
    if (input.groupBy) {
      const grouped = await readGroups(tx, caller, { ...wanted, ...most }, { by: input.groupBy, sum: input.sum });
      requireVisible(input, grouped);
      return groupsText(grouped, window);
    }
    const found = await readWork(tx, caller, wanted);
    requireVisible(input, found);
    const { items, has_more, last_id } = found;
    const searched = input.search === undefined ? '' : `,"searched":${JSON.stringify(searchedIn(input, found))}`;
    return new JsonText(
      `{"items":[${items ?? ''}],"hasMore":${has_more},"nextAfterId":${last_id ?? input.afterId},"dueWindow":${JSON.stringify(window)}${searched}}`,
    );
  },
};

function groupsText({ groups, total, groups_more, has_more }: GroupedWork, window: Window | null): JsonText<FoundGroups> {
  if (has_more) throw new InvalidRequest(['groupBy'], `more than ${MOST_GROUPED.toLocaleString('en')} items match; narrow the filters.`);
  return new JsonText(
    `{"groups":${groups},"total":${total}${groups_more ? ',"groupsMore":true' : ''},"dueWindow":${JSON.stringify(window)}}`,
  );
}

const searchedIn = ({ searchIn }: Input, { notes_readable }: FoundWork): string[] => [
  ...['title', 'description', 'acceptance', 'blockedReason', 'number'],
  ...(searchIn === 'all' && notes_readable ? ['notes'] : []),
];

interface Window {
  name: string;
  from: string | null;
  to: string | null;
  timezone: string;
}

const asksForDates = ({ dueWindow, dueFrom, dueTo }: Input) => dueWindow !== undefined || dueFrom !== undefined || dueTo !== undefined;

function windowOf({ dueWindow: name, dueFrom, dueTo }: Input, { now, timezone }: { now: string; timezone: string }): Window {
  if (name === undefined) return { name: 'custom', from: dueFrom ?? null, to: dueTo ?? null, timezone };
  return { name, ...dueWindow(name, todayIn(timezone, now)), timezone };
}

/** The ids of labels with this name in the caller's workspaces. Throws InvalidRequest that names the nearest ones. */
async function labelsNamed(tx: Tx, caller: Caller, name: string, workspaceId: number | undefined): Promise<LabelsWanted> {
  const { ids, nearest } = await readLabelsNamed(tx, caller, name, workspaceId ?? null);
  if (ids.length === 0) throw new InvalidRequest(['label'], { problem: `'${name}' is not a label`, allowed: nearest });
  return { any: ids, all: [], none: [] };
}

function wantedOf(input: Input, window: Window | null, labels?: LabelsWanted): WorkWanted {
  const { type, underId, ids, workspaceId, requirementId, releaseId, afterId, statusKey: key, priorityKey, search, searchIn } = input;
  const { assignee = underId || ids || input.groupBy ? 'all' : 'me', status = ids ? 'all' : 'open', limit = ids ? 100 : 50 } = input;
  const canonical = status === 'open' || status === 'closed' || status === 'all' ? undefined : status;
  return {
    ...{ workspaceId, afterId, limit, columns: input.fields },
    types: types.filter((each) => type === undefined || each === type),
    closed: closedOf(status).filter((closed) => input.dueWindow !== 'overdue' || !closed),
    filters: {
      ...{ ids, requirementId, releaseId, underId, labels },
      assignee: assignee === 'all' ? undefined : [assignee],
      status: canonical && { closed: [], statuses: [canonical], keys: [] },
      statusKey: key,
      priority: priorityKey === undefined ? undefined : [priorityKey],
      due: window && (window.from ?? window.to) ? { ranges: [{ from: window.from ?? FIRST_DATE, to: window.to ?? LAST_DATE }] } : undefined,
      text: search === undefined ? undefined : { search, searchIn },
    },
  };
}

function closedOf(status: NonNullable<Input['status']>): boolean[] {
  if (status === 'all') return [false, true];
  return [status === 'closed' || closedStatuses.some((one) => one === status)];
}

/** Throws the same Forbidden for a hidden and an absent id (behaviour §7.21, §7.23). */
function requireVisible({ workspaceId, requirementId, releaseId }: Input, found: NamedItems): void {
  if ((workspaceId !== undefined && !found.workspace_found) || !found.root_found) throw new Forbidden();
  requireType('requirementId', requirementId, 'requirement', found.requirement_type);
  requireType('releaseId', releaseId, 'release', found.release_type);
}

function requireType(name: string, id: number | undefined, wanted: ItemType, type: ItemType | null): void {
  if (id === undefined || type === wanted) return;
  if (type === null) throw new Forbidden();
  throw new InvalidRequest([name], `item ${id} is a ${type}; give the id of a ${wanted}.`);
}
