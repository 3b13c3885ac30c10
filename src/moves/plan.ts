/** Decides a move: each item's values in the other workspace, its losses, and reasons against the move (behaviour §42). Pure. */
import { createHash, hash } from 'node:crypto';
import { bits, COMMENTS_READ, holds, type ItemType, PLANS_READ, resourceOf, TASKS_WRITE, TIME_WRITE } from '../access/rights.ts';
import type { ChangedFields } from '../changes/schema.ts';
import { fields, type LinkName, linkNames } from '../items/fields.ts';
import { inPieces } from '../values/pieces.ts';
import { keysOf, valueAt } from '../values/records.ts';
import { approvalStatuses } from '../workspaces/statuses.ts';
import { type BothWorkspaces, MOST_MOVED, type MoveFacts, type Moving, type Staying, type Tie } from './schema.ts';

/** A sentence about an item that moves. */
export interface Line {
  itemId: number;
  title: string;
  text: string;
}

/** Shown lines of a kind. */
const MOST_LINES = 500;

/** The first lines of a kind, and the number of all. */
export interface Lines {
  readonly first: readonly Line[];
  readonly count: number;
}

/** Characters. Hashing each line alone takes several times as long. */
const HASHED_TOGETHER = 8_192;

/** Keeps the lines that are shown. The hash is of all. */
class LinesOfKind {
  readonly #first: Line[] = [];
  readonly #hash = createHash('sha256');
  #count = 0;
  #unhashed = '';
  readonly #linked = new Set<number>();

  add(item: Pick<Moving, 'id' | 'title'>, text: string): void {
    this.#show(item, () => text);
    this.#note(`${item.id}\0${text}\0`);
  }

  /** Of a link to an item, of which there may be many thousands. Its title is hashed once. */
  addLink(item: Pick<Moving, 'id' | 'title'>, what: string, other: Pick<Moving, 'id' | 'title'>): void {
    this.#show(item, () => `${what}: #${other.id} “${other.title}”`);
    this.#note(`${item.id}\0${what}\0${other.id}\0`);
    if (this.#linked.has(other.id)) return;
    this.#linked.add(other.id);
    this.#note(`${other.title}\0`);
  }

  #show({ id, title }: Pick<Moving, 'id' | 'title'>, text: () => string): void {
    this.#count++;
    if (this.#first.length < MOST_LINES) this.#first.push({ itemId: id, title, text: text() });
  }

  /** Stored texts have no NUL. */
  #note(text: string): void {
    this.#unhashed += text;
    if (this.#unhashed.length > HASHED_TOGETHER) this.#flush();
  }

  #flush(): void {
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }

  /** No line can be added afterwards. */
  end(): { lines: Lines; digest: string } {
    this.#flush();
    return { lines: { first: this.#first, count: this.#count }, digest: this.#hash.digest('base64url') };
  }
}

interface Arrival extends Pick<Moving, 'id' | 'needs' | 'title' | 'status'> {
  statusKey: string;
  priorityKey: string | null;
  ownerId: number | null;
  assigneeId: number | null;
  links: Partial<Record<LinkName, number | null>>;
  labels: number[];
  /** Fields of the changes, in the other workspace and in this one. */
  changed: ChangedFields;
  left: ChangedFields;
}

/** An item that stays and loses links to items that move. */
export interface Remainder {
  id: number;
  links: Partial<Record<LinkName, number | null>>;
  changed: ChangedFields;
}

export interface MovePlan {
  /** The items that move. */
  inside: ReadonlyMap<number, Moving>;
  arrivals: Arrival[];
  remainders: Remainder[];
  /** Links and values that end. */
  stays: Lines;
  /** Values that become others. */
  changes: Lines;
  /** Losses of people without access there. */
  people: string[];
  /** Reasons against the move. */
  refusals: string[];
  /** Plan blocks of these people on these items end. */
  endedBlocks: { userId: number; itemId: number }[];
  /** A hash of everything above that the caller can see. Confirming with an old one is refused. */
  seen: string;
}

type Planning = Pick<MovePlan, 'inside' | 'refusals'> & {
  stays: LinesOfKind;
  changes: LinesOfKind;
  losses: string[];
  facts: MoveFacts;
  both: BothWorkspaces;
  outside: ReadonlyMap<number, MoveFacts['outside'][number]>;
  people: ReadonlyMap<number, MoveFacts['people'][number]>;
  /** Items that stay, by the moving item that they wait for. */
  waiting: ReadonlyMap<number, Staying[]>;
};

/** Items have up to 50 dependencies each. */
const PIECE = 10;

export async function planMove(facts: MoveFacts, both: BothWorkspaces): Promise<MovePlan> {
  const inside = byId(facts.moving);
  const planning: Planning = {
    ...{ facts, both, inside, stays: new LinesOfKind(), changes: new LinesOfKind(), losses: [], refusals: [] },
    ...{ waiting: waitingOf(facts), outside: byId(facts.outside), people: byId(facts.people) },
  };
  refuseUnfit(planning);
  if (facts.moving.some((item) => !item.readable)) return refused(planning);
  const arrivals = await inPieces(facts.moving, (item) => arrivalOf(planning, item), PIECE);
  const remainders = await inPieces(facts.staying, (item) => remainderOf(planning, item), PIECE);
  const endedBlocks = await judgeTies(planning);
  const { losses: people, refusals } = planning;
  const [stays, changes] = [planning.stays.end(), planning.changes.end()];
  // Only what the caller can see: hidden ids could be guessed from a hash.
  const versions = [...facts.moving, ...facts.staying].flatMap(({ id, version, readable }) => (readable ? [[id, version]] : []));
  const seen = hash('sha256', JSON.stringify([both.target.id, versions, stays.digest, changes.digest, people]), 'base64url');
  return { inside, arrivals, remainders, stays: stays.lines, changes: changes.lines, people, refusals, endedBlocks, seen };
}

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

function waitingOf({ staying }: MoveFacts): Planning['waiting'] {
  const found = new Map<number, Staying[]>();
  for (const one of staying)
    for (const { id } of one.blockedBy) {
      const waiting = found.get(id);
      if (waiting) waiting.push(one);
      else found.set(id, [one]);
    }
  return found;
}

/** A plan without lines, which would name items that the caller can't see. */
const refused = ({ inside, refusals }: Planning): MovePlan => ({
  ...{ inside, arrivals: [], remainders: [], stays: noLines, changes: noLines, people: [], refusals, endedBlocks: [], seen: '' },
});

const noLines: Lines = { first: [], count: 0 };

/** Adds the reasons against the move: limits, missing rights, linked items that the caller can't read, and a running import. */
function refuseUnfit({ facts: { moving, staying, importing }, both: { source, target }, inside, refusals }: Planning): void {
  const isLinked = ({ links }: { links: Moving['links'] }) => linkNames.some((name) => inside.has(links[name] ?? 0));
  const lacking = (items: readonly { type: ItemType }[], rights: number, level: 'write' | 'delete') =>
    [...new Set(items.map(({ type }) => type))].filter((type) => !holds(rights, bits(resourceOf(type), level)));
  if (moving.length > MOST_MOVED || staying.length > MOST_MOVED)
    refusals.push('Too many items would move or lose a link. Move a smaller part.');
  if ([...moving, ...staying.filter(isLinked)].some((item) => !item.readable))
    refusals.push('Items that you can’t see are linked below. Ask an owner of the workspace to move these items.');
  const known = moving.filter(({ readable }) => readable);
  for (const type of lacking(known, source.rights, 'delete')) refusals.push(`You can’t remove ${resourceOf(type)} from ${source.name}.`);
  for (const type of lacking(known, target.rights, 'write')) refusals.push(`You can’t add ${resourceOf(type)} to ${target.name}.`);
  const unlinked = staying.filter((item) => item.readable && isLinked(item));
  for (const type of lacking(unlinked, source.rights, 'write'))
    refusals.push(`You can’t change the ${resourceOf(type)} below, which would lose their link. Include the items below.`);
  if (known.some(({ commented }) => commented) && !holds(source.rights, COMMENTS_READ))
    refusals.push(`You can’t read the comments of these items in ${source.name}. Ask an owner of the workspace to move them.`);
  if (importing) refusals.push(`An import into ${source.name} is in progress. Try again when it has finished.`);
}

function arrivalOf(planning: Planning, item: Moving): Arrival {
  const { both, inside } = planning;
  const links = cutLinks(planning, item);
  const left: ChangedFields = { workspaceId: [both.source.id, both.target.id] };
  for (const name of keysOf(links)) left[name] = [item.links[name], null];
  const changed = { ...left };
  const { statusKey, priorityKey } = item;
  const next = { ...statusIn(planning, item), priorityKey: priorityIn(planning, item) };
  if (next.status !== item.status) changed.status = [item.status, next.status];
  if (next.statusKey !== statusKey) changed.statusKey = [statusKey, next.statusKey];
  if (next.priorityKey !== priorityKey) changed.priorityKey = [priorityKey, next.priorityKey];
  const people = { ownerId: personIn(planning, item, 'ownerId'), assigneeId: personIn(planning, item, 'assigneeId') };
  for (const name of ['ownerId', 'assigneeId'] as const) if (people[name] !== item[name]) changed[name] = [item[name], people[name]];
  const kept = item.labels.filter(({ target }) => target !== null);
  const names = (labels: Moving['labels']) => labels.map(({ name }) => name);
  for (const { name, target } of item.labels)
    if (target === null) planning.stays.add(item, `Label “${name}”: ${both.target.name} has none of this name.`);
  if (kept.length < item.labels.length) changed.labels = [names(item.labels), names(kept)];
  const blockedBy = item.blockedBy.filter(({ id }) => inside.has(id));
  if (blockedBy.length < item.blockedBy.length) changed.blockedBy = [item.blockedBy, blockedBy];
  for (const { id } of item.blockedBy) if (!inside.has(id)) nameOutside(planning, item, 'Blocked by', id);
  const waiting = planning.waiting.get(item.id) ?? [];
  for (const other of waiting) if (other.readable) planning.stays.addLink(item, 'Blocks', other);
  const hidden = waiting.filter(({ readable }) => !readable).length;
  if (hidden) planning.stays.add(item, `Blocks: ${hidden === 1 ? '1 item' : `${hidden} items`} that you can’t see`);
  if (item.takenKey !== null)
    planning.changes.add(item, `External key ${item.takenKey}: an item in ${both.target.name} has it, too. Imports update that one.`);
  return {
    id: item.id,
    needs: item.needs,
    title: item.title,
    ...next,
    ...people,
    links,
    labels: item.labels.flatMap(({ target }) => target ?? []),
    changed,
    left,
  };
}

/** Names only items that the caller can see. */
function nameOutside({ outside, stays }: Planning, item: Moving, what: string, id: number): void {
  const other = outside.get(id);
  if (other) stays.addLink(item, what, other);
}

/** The links that end, as null. */
function cutLinks(planning: Planning, item: Moving): Arrival['links'] {
  const cut: Arrival['links'] = {};
  for (const name of linkNames) {
    const id = item.links[name];
    if (id == null || planning.inside.has(id)) continue;
    cut[name] = null;
    nameOutside(planning, item, fields[name].label, id);
  }
  return cut;
}

/** The same key, else the same label, else the first one of the same category. Only who may approve there takes an approval along. */
function statusIn({ facts, both, changes, refusals }: Planning, item: Moving): Pick<Arrival, 'status' | 'statusKey'> {
  const losesApproval = approvalStatuses.includes(item.status) && !both.target.approves;
  const category = losesApproval ? 'planned' : item.status;
  const fitting = facts.statuses.filter(({ status, types }) => status === category && types.includes(item.type));
  const same = (one: { label: string }) => one.label.toLowerCase() === item.statusLabel.toLowerCase();
  const found = fitting.find(({ key }) => key === item.statusKey) ?? fitting.find(same) ?? fitting[0];
  if (!found) {
    const refusal = `${both.target.name} has no status for ${resourceOf(item.type)} like “${item.statusLabel}”. Change the status first, or add one there.`;
    if (!refusals.includes(refusal)) refusals.push(refusal);
    return { status: item.status, statusKey: item.statusKey };
  }
  const why = losesApproval ? `, because you can’t approve in ${both.target.name}` : '';
  if (found.label !== item.statusLabel || losesApproval) changes.add(item, `Status: “${item.statusLabel}” becomes “${found.label}”${why}.`);
  return { status: category, statusKey: found.key };
}

/** The same key, else the same label, else none. */
function priorityIn({ facts, both, changes }: Planning, item: Moving): string | null {
  const { priorityKey, priorityLabel } = item;
  if (priorityKey === null || priorityLabel === null) return null;
  const same = (one: { label: string }) => one.label.toLowerCase() === priorityLabel.toLowerCase();
  const found = facts.priorities.find(({ key }) => key === priorityKey) ?? facts.priorities.find(same);
  if (!found) changes.add(item, `Priority: “${priorityLabel}” is removed, ${both.target.name} does not have it.`);
  else if (found.label !== priorityLabel) changes.add(item, `Priority: “${priorityLabel}” becomes “${found.label}”.`);
  return found?.key ?? null;
}

/** Assignees and owners need write access to tasks (behaviour §3.14). */
function personIn({ people, both, changes }: Planning, item: Moving, field: 'ownerId' | 'assigneeId'): number | null {
  const person = people.get(item[field] ?? 0);
  if (!person) return null;
  if (holds(person.rights, TASKS_WRITE)) return person.id;
  const what = field === 'ownerId' ? 'Owner' : 'Assignee';
  changes.add(item, `${what}: ${person.name} is removed, because they can’t be assigned work in ${both.target.name}.`);
  return null;
}

function remainderOf(planning: Planning, item: Staying): Remainder {
  const { inside, stays } = planning;
  const links: Remainder['links'] = {};
  const changed: ChangedFields = {};
  for (const name of linkNames) {
    const above = inside.get(item.links[name] ?? 0);
    if (!above) continue;
    links[name] = null;
    changed[name] = [above.id, null];
    if (item.readable) stays.addLink(above, 'Below it', item);
  }
  const blockedBy = item.blockedBy.filter(({ id }) => !inside.has(id));
  if (blockedBy.length < item.blockedBy.length) changed.blockedBy = [item.blockedBy, blockedBy];
  return { id: item.id, links, changed };
}

/** Refuses running timers, and counts what other people lose, without names. Returns the plan blocks that end. */
async function judgeTies(planning: Planning): Promise<MovePlan['endedBlocks']> {
  const { facts, both, people, refusals, losses: lines } = planning;
  const needs = needsThere(planning);
  const lost = await inPieces(facts.ties, ({ kind, itemId, userIds, seen }): Tie => {
    const extra = kind === 'timer' ? TIME_WRITE : kind === 'block' ? PLANS_READ : kind === 'series' ? TASKS_WRITE : 0;
    return { kind, itemId, seen, userIds: userIds.filter((id) => !holds(people.get(id)?.rights ?? 0, needs(itemId) | extra)) };
  });
  const of = (kind: Tie['kind']) => lost.filter((tie) => tie.kind === kind);
  const distinct = (ties: readonly Tie[]) => {
    const found = new Set<number>();
    for (const { userIds } of ties) for (const id of userIds) found.add(id);
    return found.size;
  };
  const count = (kind: Tie['kind']) => distinct(of(kind));
  const there = both.target.name;
  for (const { itemId, userIds, seen } of of('timer'))
    for (const id of userIds)
      refusals.push(
        `${seen ? `${valueAt(people, id).name}’s timer` : 'A timer'} is running on item ${itemId}, and they can’t record time in ${there}. Stop it first.`,
      );
  const recorders = distinct(of('time').filter(({ seen }) => seen));
  if (recorders)
    lines.push(
      `${persons(recorders)} recorded time on these items and can’t see them in ${there}. Their time still counts where it was recorded.`,
    );
  const watchers = count('watch');
  if (watchers) lines.push(`${persons(watchers)} watching these items can’t see them in ${there} and will not be notified.`);
  if (count('block'))
    lines.push(`${persons(count('block'))} planned time on these items and can’t see it in ${there}. That planned time is cancelled.`);
  if (count('series'))
    lines.push(
      `${persons(count('series'))} who set a repeat rule can’t add tasks to ${there}. The rule is paused when the next task is due.`,
    );
  return of('block').flatMap(({ userIds, itemId }) => userIds.map((userId) => ({ userId, itemId })));
}

const persons = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** The rights needed to read a moved item: for its type and the types of moved items above it (behaviour §3.9). */
function needsThere({ inside }: Planning): (id: number) => number {
  const known = new Map<number, number>();
  const needs = (id: number): number => {
    const item = inside.get(id);
    if (!item) return 0;
    const found = known.get(id);
    if (found !== undefined) return found;
    const own = bits(resourceOf(item.type), 'read');
    // Set before the items above are read: if stored links form a cycle, the recursion ends.
    known.set(id, own);
    const above = item.type === 'goal' ? [] : linkNames.filter((name) => name !== 'goalId').map((name) => needs(item.links[name] ?? 0));
    const all = above.reduce((one, more) => one | more, own);
    known.set(id, all);
    return all;
  };
  return needs;
}
