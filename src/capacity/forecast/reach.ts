/** Whose work a project's dates include (behaviour §24.17): all work of its people, and of people who are connected with them by tasks that
 *  wait for each other. Pure. */
import type { Graph } from './dependencies.ts';
import { floatAt, intAt } from './order.ts';
import type { People } from './people.ts';
import type { TaskColumns } from './tasks.ts';

interface Work {
  people: People;
  graph: Graph;
  tasks: TaskColumns;
  /** Workspaces in which a person has open work, by the person's id. */
  workspacesOf: ReadonlyMap<number, readonly number[]>;
}

/** For ranges of task slots and other people: ids of the workspaces whose work decides their dates, sorted. */
export function reachOf({ people, graph, tasks, workspacesOf }: Work): (from: number, to: number, others?: Iterable<number>) => number[] {
  const ofGroup = new Map<number, Set<number>>();
  for (const [index, { id }] of people.all.entries()) {
    const lead = graph.leadOf(index);
    const found = ofGroup.get(lead) ?? new Set();
    for (const workspaceId of workspacesOf.get(id) ?? []) found.add(workspaceId);
    if (found.size > 0) ofGroup.set(lead, found);
  }
  return (from, to, others = []) => {
    const leads = new Set([...others].map((person) => graph.leadOf(person)));
    for (let slot = from; slot < to; slot++) {
      const person = intAt(tasks.person, slot);
      if (person >= 0 && floatAt(tasks.minutes, slot) > 0) leads.add(graph.leadOf(person));
    }
    return [...new Set([...leads].flatMap((lead) => [...(ofGroup.get(lead) ?? [])]))].sort((a, b) => a - b);
  };
}
