/** Work of many kinds in two workspaces, and each person's expected results from an independent scan of the same data. */
import type { Caller } from '../../../src/access/caller.ts';
import { hashSecret } from '../../../src/access/secrets.ts';
import { addDays } from '../../../src/values/dates.ts';
import type { Status } from '../../../src/workspaces/statuses.ts';
import { oneWorkspace, world } from '../../support/world.ts';

export interface Known {
  id: number;
  workspaceId: number;
  type: 'task' | 'requirement' | 'goal' | 'release' | 'milestone';
  title: string;
  description: string;
  acceptance: string;
  notes: string[];
  status: string;
  statusKey: string;
  priorityKey: string;
  assigneeId: number | null;
  due: string | null;
  requirementId: number | null;
  releaseId: number | null;
  /** Ids by field name, without empty fields. */
  links: Record<string, number>;
  /** Resources that reading it needs. Null if it or something above it is archived. */
  needs: Set<string> | null;
}

const PER_WORKSPACE = 90;
const words = ['Größe 100%', 'a_b', 'axb', '100 per cent', 'GRÖSSE', 'plain \\ text', 'Müller', '会議の準備', 'zq', 'Задача', 'see #24'];
const states = [
  ['planned', 'planned'],
  ['planned', 'later'],
  ['in_progress', 'in_progress'],
  ['in_review', 'in_review'],
  ['done', 'done'],
  ['done', 'shipped'],
  ['cancelled', 'cancelled'],
] as const;

/** Seeded dice. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

const linkFields = ['parentItemId', 'parentId', 'requirementId', 'releaseId', 'goalId'];

// biome-ignore lint/suspicious/noExplicitAny: entries of an import file, looked into freely
type Entry = any;

/** Requirements, releases and milestones first, so that the rest can link to them. */
function entries(prefix: string, today: string): Entry[] {
  const roll = dice(prefix.length * 7919);
  const pick = <T>(values: readonly T[]): T => values[roll(values.length)]!;
  const made: Entry[] = [];
  const earlier = (type: string) => made.filter((entry) => entry.type === type);
  const link = (type: string) => (roll(3) && earlier(type).length ? { ref: pick(earlier(type)).ref } : null);
  for (let n = 0; n < PER_WORKSPACE; n++) {
    const type =
      n < 4
        ? 'release'
        : n < 12
          ? 'requirement'
          : n < 18
            ? 'milestone'
            : n < 22
              ? 'goal'
              : pick(['task', 'task', 'task', 'requirement', 'milestone']);
    const [status, statusKey] = type === 'goal' ? states[0] : pick(states);
    const date = roll(4) ? addDays(today, roll(30) - 12) : null;
    const dated =
      type === 'task'
        ? { dueDate: date }
        : { targetDate: date, ...(type !== 'release' && type !== 'goal' && roll(3) === 0 ? { dueDate: addDays(today, roll(9) - 4) } : {}) };
    const links =
      type === 'task'
        ? {
            requirementId: link('requirement'),
            releaseId: link('release'),
            parentItemId: roll(3) ? null : link(roll(2) ? 'milestone' : 'task'),
          }
        : type === 'requirement'
          ? { releaseId: link('release'), parentId: roll(2) ? null : link('requirement') }
          : type === 'milestone'
            ? { requirementId: link('requirement'), releaseId: link('release') }
            : {};
    made.push({
      ref: `${prefix}${n}`,
      type,
      title: `${type} ${n} ${pick(words)}`,
      description: roll(2) ? pick(words) : '',
      note: roll(5) ? null : pick(words),
      status,
      archived: n === 11 || roll(40) === 0,
      fields: {
        acceptance: (type === 'task' || type === 'requirement') && roll(4) === 0 ? pick(words) : null,
        goalId: type === 'goal' || roll(3) ? null : link('goal'),
        statusKey,
        priorityKey: pick(['low', 'normal', 'urgent']),
        assigneeId: pick([{ ref: 'ana' }, { ref: 'ana' }, { ref: 'bo' }, null]),
        ...dated,
        ...links,
      },
    });
  }
  return made;
}

export async function workWorld(databaseUrl: string, today: string) {
  const statuses = [
    { key: 'later', label: 'Later', types: ['task', 'requirement', 'milestone', 'release'] as const, status: 'planned' as const },
    { key: 'shipped', label: 'Shipped', types: ['task', 'requirement', 'milestone', 'release'] as const, status: 'done' as const },
  ].map((status) => ({ ...status, types: [...status.types] }));
  const limits = { tasks: 'delete', requirements: 'delete', releases: 'delete', milestones: 'delete' } as const;
  const members = [{ user: 'bo', role: 'member' as const }];
  const rooms = { apollo: entries('a', today), hermes: entries('hh', today) };
  const withoutNotes = (all: Entry[]) => all.map(({ note: _note, ...entry }) => entry);
  const comments = (all: Entry[]) => all.flatMap(({ ref, note }) => (note ? [{ item: ref, author: 'ana', body: note }] : []));
  const file = oneWorkspace(
    { statuses, members, items: withoutNotes(rooms.apollo), comments: comments(rooms.apollo) },
    {
      users: [{ ref: 'bo', email: `bo${process.pid}.${Math.random()}@acme.example`, name: 'Bo' }],
      workspaces: [
        {
          ref: 'hermes',
          name: 'Hermes',
          mcp: { enabled: true, limits },
          statuses,
          members: [{ user: 'ana', role: 'owner' }, ...members],
          items: withoutNotes(rooms.hermes),
          comments: comments(rooms.hermes),
        },
        {
          ref: 'dark',
          name: 'Without agents',
          members: [{ user: 'ana', role: 'owner' }],
          items: [{ ref: 'd1', type: 'task', title: 'Unseen', fields: { assigneeId: { ref: 'ana' } } }],
        },
        {
          ref: 'other',
          name: 'Not chosen',
          mcp: { enabled: true, limits },
          members: [{ user: 'ana', role: 'owner' }],
          items: [{ ref: 'o1', type: 'release', title: 'Unseen' }],
        },
      ],
      connections: [
        { ref: 'all', user: 'ana', workspaces: ['apollo', 'hermes', 'dark'], timezone: 'Europe/Berlin' },
        {
          ref: 'few',
          user: 'ana',
          workspaces: ['apollo', 'hermes'],
          permissions: { tasks: 'read', milestones: 'read', requirements: 'none', releases: 'none' },
        },
        {
          ref: 'none',
          user: 'ana',
          workspaces: ['apollo'],
          permissions: { tasks: 'none', milestones: 'none', requirements: 'none', releases: 'none' },
        },
        { ref: 'nowhere', user: 'ana', workspaces: [] },
        { ref: 'east', user: 'ana', workspaces: ['apollo'], timezone: 'Pacific/Kiritimati' },
        { ref: 'west', user: 'ana', workspaces: ['apollo'], timezone: 'Etc/GMT+12' },
      ],
    },
  );
  const refs = await world(databaseUrl, file);
  const id = (pointer: { ref: string } | null | undefined) => (pointer ? refs.id(pointer.ref) : null);
  const known = Object.entries(rooms).flatMap(([room, all]) => all.map((entry) => asKnown(entry, refs.id(room), all, id)));
  const agent = (ref: string): Caller => ({ kind: 'agent', hash: hashSecret(refs.key(ref)) });
  return { refs, agent, known: known.sort((a, b) => a.id - b.id) };
}

function asKnown(entry: Entry, workspaceId: number, all: Entry[], id: (pointer: { ref: string } | null) => number | null): Known {
  const { fields } = entry;
  const chain = (at: Entry): Entry[] => {
    const above = ['requirementId', 'releaseId', 'parentItemId', 'parentId'].flatMap((name) => {
      const found = at.fields[name] && all.find(({ ref }) => ref === at.fields[name].ref);
      return found ? chain(found) : [];
    });
    return [at, ...above];
  };
  const whole = chain(entry);
  return {
    id: id(entry)!,
    workspaceId,
    type: entry.type,
    title: entry.title,
    description: entry.description,
    acceptance: fields.acceptance ?? '',
    notes: entry.note ? [entry.note] : [],
    status: entry.status,
    statusKey: fields.statusKey,
    priorityKey: fields.priorityKey,
    assigneeId: id(fields.assigneeId),
    due: fields.dueDate ?? fields.targetDate ?? null,
    requirementId: id(fields.requirementId),
    releaseId: id(fields.releaseId),
    links: Object.fromEntries(linkFields.flatMap((name) => (fields[name] ? [[name, id(fields[name])!]] : []))),
    needs: whole.some(({ archived }) => archived) ? null : new Set(whole.map(({ type }) => `${type}s`)),
  };
}

/** All below an item, found by repeated scans. A link to a goal counts only below a goal. */
export function below(known: Known[], id: number): Set<number> {
  const found = new Set([id]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const item of known) if (item.needs !== null && Object.values(item.links).some((up) => found.has(up))) found.add(item.id);
  }
  found.delete(id);
  return found;
}

export interface Wanted {
  workspaceId?: number | undefined;
  types: readonly Known['type'][];
  assignee: 'me' | 'all' | 'unassigned' | number;
  closed: readonly boolean[];
  status?: Status | undefined;
  statusKey?: string | undefined;
  priorityKey?: string | undefined;
  requirementId?: number | undefined;
  releaseId?: number | undefined;
  underId?: number | undefined;
  ids?: readonly number[] | undefined;
  search?: string | undefined;
  searchIn?: 'text' | 'all' | undefined;
  due?: { from: string | null; to: string | null } | undefined;
  afterId: number;
}

const phrasesOf = (search: string) => (search.startsWith('"') ? [search.slice(1, -1)] : search.split(' '));

/** The ids that a user who may read `resources` should find, in all pages together. */
export function expected(known: Known[], resources: string[], me: number, wanted: Wanted): number[] {
  const { assignee, due, search = '' } = wanted;
  const given = (value: unknown, has: unknown) => value === undefined || value === has;
  const under = wanted.underId === undefined ? null : below(known, wanted.underId);
  const person = { me, all: undefined, unassigned: null }[assignee as 'me'];
  return known
    .filter((item) => item.needs !== null && [...item.needs].every((need) => resources.includes(need)))
    .filter((item) => wanted.types.includes(item.type) && given(wanted.workspaceId, item.workspaceId) && item.id > wanted.afterId)
    .filter((item) => given(typeof assignee === 'number' ? assignee : person, item.assigneeId))
    .filter((item) => wanted.closed.includes(['done', 'cancelled'].includes(item.status)) && given(wanted.status, item.status))
    .filter((item) => given(wanted.statusKey, item.statusKey) && given(wanted.priorityKey, item.priorityKey))
    .filter((item) => given(wanted.requirementId, item.requirementId) && given(wanted.releaseId, item.releaseId))
    .filter((item) => !due || (item.due !== null && (due.from ?? '') <= item.due && item.due <= (due.to ?? '9999')))
    .filter((item) => !under || under.has(item.id))
    .filter((item) => !wanted.ids || wanted.ids.includes(item.id))
    .filter(({ id, title, description, acceptance, notes }) => {
      const texts = [title, description, acceptance, ...(wanted.searchIn === 'all' ? notes : [])];
      const has = (phrase: string) => texts.some((text) => text.toLowerCase().includes(phrase.toLowerCase()));
      return !search || search.split(' or ').some((one) => [`${id}`, `#${id}`].includes(one) || phrasesOf(one).every(has));
    })
    .map((item) => item.id);
}
