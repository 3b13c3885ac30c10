/** Which tasks wait for which (behaviour §34): a graph of the tasks and blockers of a scope, and the groups of people it connects. Pure. */

import { valueAt } from '../../values/records.ts';
import type { Day } from '../../values/workdays.ts';
import { floatAt, intAt } from './order.ts';
import type { People } from './people.ts';
import type { DependencyRow } from './rows.ts';
import { Flag, type TaskColumns } from './tasks.ts';

/** Lag of an edge whose other end finishes on the same day: a task and the release, requirement or milestone it belongs to. */
export const SAME_DAY = -1;

export interface Node {
  readonly id: number;
  /** Row of the task. -1: a release, requirement or milestone, or an item without a forecast. */
  readonly slot: number;
  /** Index of the person who works on it. -1: nothing is left to do, so it only passes on its date. */
  readonly person: number;
  blockers: number;
  readonly next: { node: Node; lagDays: number }[];
  /** It has no date, or one of its blockers has none. */
  undated: boolean;
  /** Its own data lacks a date. */
  readonly lacksDate: boolean;
  /** Ids of the first direct or indirect blockers that lack a date. */
  lacking: number[];
  /** Index of one of the people of its connected nodes; -1 if there is none. */
  groupPerson: number;
  /** Position in the person's queue. */
  place: number;
  /** The blocker that finishes last, and the first day on which this may start. Set by the simulation of the estimated work. */
  heldBy: Node | null;
  heldUntil: Day;
  /** When that blocker finishes. */
  heldFrom: Day;
}

/** Maximum number of blockers that an explanation names. */
export const MOST_NAMED = 3;

/** Collects rows while tasks arrive. Add the rows after all containers and before the tasks. */
export class DependencyRows {
  readonly rows: DependencyRow[] = [];
  readonly #ids = new Set<number>();
  /** Numbers of tasks, and open tasks, of containers that block something. */
  readonly containers = new Map<number, { tasks: number; open: number[] }>();
  readonly closed = new Set<number>();

  add(row: DependencyRow, isContainer: boolean): void {
    this.rows.push(row);
    this.#ids.add(row.itemId).add(row.blockerId);
    if (isContainer && !this.containers.has(row.blockerId)) this.containers.set(row.blockerId, { tasks: 0, open: [] });
  }

  close(id: number): void {
    if (this.#ids.has(id)) this.closed.add(id);
  }

  /** `above`: the containers of a task. */
  addMember(id: number, open: boolean, above: Iterable<number>): void {
    for (const container of above) {
      const members = this.containers.get(container);
      if (!members) continue;
      members.tasks++;
      if (!open) continue;
      members.open.push(id);
      this.#ids.add(id);
    }
  }

  has = (id: number): boolean => this.#ids.has(id);
}

export class Graph {
  readonly nodes = new Map<number, Node>();
  readonly #groups = new Map<number, Node[]>();
  readonly #leads: Int32Array;

  constructor(rows: DependencyRows, tasks: TaskColumns, people: People) {
    this.#addTasks(rows, tasks, people);
    for (const [id, { tasks: count }] of rows.containers) this.#add(id, { lacksDate: count === 0 });
    for (const { itemId, blockerId, lagDays } of rows.rows) if (!rows.closed.has(blockerId)) this.#connect(itemId, blockerId, lagDays);
    for (const [id, { open }] of rows.containers) for (const member of open) this.#connect(id, member, SAME_DAY);
    this.#markUndated();
    this.#leads = this.#group(people.all.length);
  }

  /** The lowest person index of the person's group, which identifies the group. */
  leadOf = (person: number): number => intAt(this.#leads, person);

  /** Nodes with dates that are simulated together with this lead. -1: nodes that depend on no person. */
  nodesOf = (lead: number): readonly Node[] => this.#groups.get(lead) ?? [];

  /** True if the item waits for another one, even if the item has no date. */
  waits = (id: number): boolean => (this.nodes.get(id)?.blockers ?? 0) > 0;

  /** Ids of the item's last blocker, that one's last blocker, and so on. */
  chainOf(id: number): number[] {
    const chain: number[] = [];
    for (let by = this.nodes.get(id)?.heldBy; by && chain.length < MOST_NAMED; by = by.heldBy) chain.push(by.id);
    return chain;
  }

  #addTasks(rows: DependencyRows, tasks: TaskColumns, people: People): void {
    if (rows.rows.length === 0) return;
    for (let slot = 0; slot < tasks.size; slot++) {
      const id = floatAt(tasks.id, slot);
      if (!rows.has(id)) continue;
      if (!tasks.isOpen(slot)) {
        rows.close(id);
        continue;
      }
      const some = floatAt(tasks.minutes, slot) > 0;
      const person = some ? intAt(tasks.person, slot) : -1;
      const lacksDate =
        (intAt(tasks.flags, slot) & (Flag.noEstimate | Flag.assigneeLeft)) !== 0 || (some && !people.all[person]?.calendar.hasHours);
      this.#add(id, { slot, person: lacksDate ? -1 : person, lacksDate });
    }
  }

  #add(id: number, { slot = -1, person = -1, lacksDate }: { slot?: number; person?: number; lacksDate: boolean }): Node {
    const node: Node = {
      id,
      slot,
      person,
      blockers: 0,
      next: [],
      undated: lacksDate,
      lacksDate,
      lacking: [],
      groupPerson: -1,
      place: -1,
      heldBy: null,
      heldUntil: 0,
      heldFrom: 0,
    };
    this.nodes.set(id, node);
    return node;
  }

  /** An item that is neither a task nor a container with tasks has no forecast. */
  #connect(itemId: number, blockerId: number, lagDays: number): void {
    const node = this.nodes.get(itemId);
    if (!node) return;
    const blocker = this.nodes.get(blockerId) ?? this.#add(blockerId, { lacksDate: true });
    blocker.next.push({ node, lagDays });
    node.blockers++;
  }

  /** Without a date: items that wait for an undated one, directly or through others, and all items of a cycle. */
  #markUndated(): void {
    const left = new Map([...this.nodes.values()].map((node) => [node, node.blockers]));
    const ready = [...this.nodes.values()].filter(({ blockers }) => blockers === 0);
    for (const node of ready) {
      left.delete(node);
      for (const { node: next } of node.next) {
        if (node.undated) passOn(node, next);
        const count = valueAt(left, next) - 1;
        left.set(next, count);
        if (count === 0) ready.push(next);
      }
    }
    for (const node of left.keys()) node.undated = true;
  }

  /** Joins the people of connected nodes. Returns the lead of each person, the smallest index. */
  #group(people: number): Int32Array {
    const leads = new Int32Array(people).map((_, person) => person);
    const found = new Set<Node>();
    const neighbours = new Map<Node, Node[]>();
    const dated = [...this.nodes.values()].filter(({ undated }) => !undated);
    for (const node of dated)
      for (const { node: next } of node.next)
        if (!next.undated) {
          listOf(neighbours, node).push(next);
          listOf(neighbours, next).push(node);
        }
    for (const node of dated) {
      if (found.has(node)) continue;
      found.add(node);
      const nodes = [node];
      for (const one of nodes)
        for (const other of neighbours.get(one) ?? [])
          if (!found.has(other)) {
            found.add(other);
            nodes.push(other);
          }
      this.#join(leads, nodes);
    }
    for (let person = 0; person < people; person++) leads[person] = leadIn(leads, person);
    for (const node of dated) listOf(this.#groups, node.groupPerson < 0 ? -1 : intAt(leads, node.groupPerson)).push(node);
    return leads;
  }

  #join(leads: Int32Array, nodes: readonly Node[]): void {
    let first = -1;
    for (const { person } of nodes) {
      if (person < 0) continue;
      if (first < 0) first = person;
      const [a, b] = [leadIn(leads, first), leadIn(leads, person)];
      leads[Math.max(a, b)] = Math.min(a, b);
    }
    for (const node of nodes) node.groupPerson = first;
  }
}

function passOn({ id, lacksDate, lacking }: Node, next: Node): void {
  next.undated = true;
  const ids = new Set([...next.lacking, ...(lacksDate ? [id] : lacking)]);
  next.lacking = [...ids].sort((a, b) => a - b).slice(0, MOST_NAMED);
}

function leadIn(leads: Int32Array, person: number): number {
  let lead = person;
  while (leads[lead] !== lead) lead = intAt(leads, lead);
  return lead;
}

function listOf<Key>(lists: Map<Key, Node[]>, key: Key): Node[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
