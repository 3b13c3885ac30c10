/** The attacker's most expensive content: hostile comments, and a workspace with as much as each page shows. */
import type { ImportInput } from '../../src/import/schema.ts';
import { addDays } from '../../src/values/dates.ts';
import type { WorldRefs } from '../support/world.ts';

type Account = ImportInput['accounts'][number];

const PEOPLE = 300;
const TASKS = 3_000;
const GOALS = 200;
const PLANNED = 500;
const REQUIREMENTS = 20;
const COMMENTS = 100;
export const LONGEST_COMMENT = 12_000;

const row = (cell: string) => `${`|${cell}`.repeat(10)}|\n`;
/** Texts that are slow to format: cells, names, emphasis, links. */
export const hostileTexts = [
  row('a') + row('-') + 'x\n'.repeat(LONGEST_COMMENT),
  '@a\n',
  '*a **b ',
  '[a](http://b.c) ',
  '![',
  '> - 1. ',
].map((text) => text.repeat(Math.ceil(LONGEST_COMMENT / text.length)).slice(0, LONGEST_COMMENT - 20));

const range = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
const today = new Date().toISOString().slice(0, 10);
const title = (words: string) => `${words} `.padEnd(200, 'of a long & costly title ');

/** Its people, and the workspace `costlyPlace`. */
export function costlyWorkspace(owner: string): Pick<Required<Account>, 'users' | 'workspaces'> {
  const users = range(PEOPLE, (n) => ({ ref: `costly${n}`, email: `costly${n}@x.example`, name: n === 0 ? 'a' : `Person ${n}` }));
  const goals = range(GOALS, (n) => ({
    ...{ ref: `goal${n}`, type: 'goal', title: title(`Goal ${n}`) },
    fields: { target: 100, current: n % 100, ...(n > 0 && { parentId: { ref: `goal${Math.floor((n - 1) / 5)}` } }) },
  }));
  const requirements = range(REQUIREMENTS, (n) => ({
    ...{ ref: `costlyRequirement${n}`, type: 'requirement', title: title(`Requirement ${n}`) },
    fields: { targetDate: addDays(today, n) },
  }));
  const milestones = range(PLANNED, (n) => ({
    ...{
      type: 'milestone',
      title: title(`Milestone ${n}`),
      fields: { startDate: addDays(today, n % 60), targetDate: addDays(today, 60 + (n % 90)) },
    },
  }));
  const tasks = range(TASKS, (n) => ({
    ...{ ref: `costlyTask${n}`, type: 'task', title: title(`Task ${n}`) },
    fields: {
      ...{ assigneeId: { ref: `costly${n % PEOPLE}` }, estimatedHours: 1 + (n % 40), dueDate: addDays(today, n % 200) },
      ...{ requirementId: { ref: `costlyRequirement${n % REQUIREMENTS}` }, goalId: { ref: `goal${n % GOALS}` } },
    },
  }));
  const hostile = hostileTexts.map((_, n) => ({ ref: `hostile${n}`, type: 'task', title: `Hostile ${n}`, description: 'see below' }));
  return {
    users,
    workspaces: [
      {
        ...{ ref: 'costlyPlace', name: 'Costly' },
        members: [{ user: owner, role: 'owner' as const }, ...users.map(({ ref }) => ({ user: ref, role: 'member' as const }))],
        items: [...goals, ...requirements, ...milestones, ...tasks, ...hostile] as never,
        comments: hostileTexts.flatMap((text, item) =>
          // Each text is unique, so none is cached.
          range(COMMENTS, (n) => ({ item: `hostile${item}`, author: owner, body: `${text}\n${n}` })),
        ),
        timeEntries: range(2_000, (n) => ({ user: owner, item: `costlyTask${n}`, date: addDays(today, -(n % 300)), minutes: 5 })),
      },
    ],
  };
}

export interface Costly {
  workspaceId: number;
  hostileItems: number[];
  requirements: number[];
  task: number;
}

export const costlyIds = ({ id }: WorldRefs): Costly => ({
  workspaceId: id('costlyPlace'),
  hostileItems: hostileTexts.map((_, n) => id(`hostile${n}`)),
  requirements: range(REQUIREMENTS, (n) => id(`costlyRequirement${n}`)),
  task: id('costlyTask0'),
});
