/** The ten most frequent tasks (behaviour §22.11) in one visit: a test each, in this order, on one page after one sign-in. The types list
 *  what a way must implement. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { currentSuite } from './suite.ts';

const tasks = {
  see: 'seeing what is next',
  timer: 'starting and stopping a timer',
  find: 'finding work by the search',
  values: 'changing assignee, priority and due date',
  comment: 'commenting',
  done: 'moving work to done',
  create: 'making a task',
  time: 'logging time and planning it',
  decide: 'deciding an approval',
  agent: 'connecting an agent',
} as const;

/** For closing the page. */
export type Ending = Pick<ExecutionContext, 'teardown'>;
type Do = (t: ExecutionContext, page: Page) => Promise<void>;
type Visit = (t: Ending) => Promise<Page>;

/** `how` begins each title. */
export function frequentTasks(how: string, visit: Visit, ways: Record<keyof typeof tasks, Do>): void {
  const endings: Parameters<ExecutionContext['teardown']>[0][] = [];
  const all = Object.entries(tasks) as [keyof typeof tasks, string][];
  let page: Page | undefined;
  all.forEach(([name, title], at) => {
    currentSuite()(`${how}, ${at + 1} of ten: ${title}`, async (t) => {
      page ??= await visit({ teardown: (end) => void endings.push(end) });
      if (at === all.length - 1) for (const end of endings) t.teardown(end);
      await ways[name](t, page);
      t.pass();
    });
  });
}
