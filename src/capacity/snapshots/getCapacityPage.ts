/** The capacity page: people from the newest snapshot of its scope, and projects from the forecast of pages, worst first (behaviour §24.6,
 *  §24.17). */
import { z } from 'zod';
import { Cursor } from '../../changes/cursor.ts';
import type { Tx } from '../../database/db.ts';
import type { Listens } from '../../database/listen.ts';
import type { Read } from '../../operations/operation.ts';
import { Unavailable } from '../../values/errors.ts';
import { Id } from '../../values/text.ts';
import { type OutlineHead, PEOPLE_PER_PAGE, type PersonLine, PROJECTS_PER_PAGE, type ProjectLine } from '../forecast/outline.ts';
import { isClosed } from '../forecast/rows.ts';
import type { ProjectForecast, WorkEntry } from '../forecast/schema.ts';
import { isMissing, onceComputed, Readers, ScopeInput } from './getCapacity.ts';
import {
  type Assignee,
  type Mark,
  type PageMissing,
  type PageRow,
  readAssignees,
  readLines,
  readPage,
  readProject,
  type StoredProject,
} from './pageQueries.ts';
import { type Missing, type OverseenPage, readOverseen } from './queries.ts';

export type { Assignee, Mark } from './pageQueries.ts';

const Page = z.int().min(1).max(1_000_000);
/** `saved`: a transaction that the figures should include. `wait`: wait for them, with a time limit. */
const GetCapacityPageInput = ScopeInput.extend({ people: Page, projects: Page, saved: Cursor.nullish(), wait: z.boolean().optional() });

export interface Rows<Row> {
  rows: readonly Row[];
  page: number;
  pages: number;
}

/** A project on pages. `workspace`: its name. `only`: for a chosen workspace, the date if only its work counts. */
export interface ShownProject extends ProjectLine, Omit<StoredProject, 'line' | 'explained'> {}

export interface Outline {
  head: OutlineHead;
  /** The figures do not include `saved` yet: a new snapshot is being computed. */
  outdated: boolean;
  people: Rows<PersonLine>;
  /** Marks service users and people who have left, by user id. Snapshots do not store this. */
  marks: ReadonlyMap<number, Mark>;
  projects: Rows<ShownProject>;
  /** Dates of projects include work that the caller does not oversee. */
  hidden: boolean;
  /** Items that explanations name and that the caller sees. */
  named: readonly number[];
}

/** `outline`: null while it is computed. `name`: of the only workspace in the scope. */
export interface CapacityPage {
  overseen: boolean;
  name: string | null;
  outline: Outline | null;
}

export function getCapacityPage(listener: Listens, waitMs: number): Read<z.infer<typeof GetCapacityPageInput>, CapacityPage> {
  const readers = new Readers();
  return {
    name: 'getCapacityPage',
    input: GetCapacityPageInput,
    async run(tx, caller, input) {
      const isWanted = (found: PageRow | PageMissing | null) => !isMissing(found) && !(input.wait && found?.outdated);
      const found = await onceComputed(tx, () => readPage(tx, caller, input), listener, waitMs, isWanted);
      if (found === null) return { overseen: false, name: null, outline: null };
      if (isMissing(found)) return { overseen: true, name: found.name, outline: null };
      for (const id of found.forecastIds) readers.note(tx, id);
      return { overseen: true, name: found.name, outline: outlineIn(found) };
    },
  };
}

function outlineIn({ head: text, outdated, people, peoplePage, projects, projectsPage, counts, hidden, marks, named }: PageRow): Outline {
  const stored: OutlineHead = JSON.parse(text);
  const projectCount = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const head = { ...stored, counts, projectCount };
  return {
    head,
    outdated,
    people: rowsIn(people === null ? [] : JSON.parse(people), peoplePage, head.peopleCount, PEOPLE_PER_PAGE),
    marks: new Map((marks ?? []).map((mark) => [mark.id, mark])),
    projects: rowsIn(JSON.parse(projects).map(shownProject), projectsPage, projectCount, PROJECTS_PER_PAGE),
    hidden,
    named,
  };
}

const shownProject = ({ line, ...others }: StoredProject): ShownProject => ({ ...line, ...others });

const rowsIn = <Row>(rows: readonly Row[], n: number | null, count: number, perPage: number): Rows<Row> => ({
  rows,
  page: (n ?? 0) + 1,
  pages: Math.max(1, Math.ceil(count / perPage)),
});

/** Throws Unavailable if it is not computed in time. */
async function read<Found extends { forecastId: number } | Missing>(
  tx: Tx,
  readers: Readers,
  look: () => Promise<Found>,
  listener: Listens,
  waitMs: number,
): Promise<Exclude<Found, Missing>> {
  const found = await onceComputed<Found>(tx, look, listener, waitMs);
  if (isMissing(found)) throw new Unavailable('The forecast is still being computed. Wait, then try again.');
  const there = found as Exclude<Found, Missing>;
  readers.note(tx, there.forecastId);
  return there;
}

const LinesInput = ScopeInput.pick({ workspaceId: true });

/** All projects of a scope, worst first, for files. */
export function listProjects(listener: Listens, waitMs: number): Read<z.infer<typeof LinesInput>, ProjectLine[]> {
  const readers = new Readers();
  return {
    name: 'listProjects',
    input: LinesInput,
    async run(tx, caller, { workspaceId }) {
      const { lines } = await read(tx, readers, () => readLines(tx, caller, workspaceId), listener, waitMs);
      return JSON.parse(lines);
    },
  };
}

const ProjectInput = ScopeInput.pick({ workspaceId: true }).extend({ projectId: Id });

export interface OpenedProject {
  today: string;
  /** Null if it has too many tasks, or no forecast yet. */
  project: (ProjectForecast & ShownProject) | null;
  named: readonly number[];
  /** Of its open tasks that are shown. */
  people: ReadonlyMap<number, Assignee>;
}

const MOST_TASKS = 60;

/** The first open tasks by their forecast date. */
export const listedTasks = ({ work }: Pick<ProjectForecast, 'work'>): WorkEntry[] =>
  work
    .filter(({ status }) => !isClosed(status))
    .toSorted((a, b) => (a.forecastDate ?? '9').localeCompare(b.forecastDate ?? '9') || a.id - b.id)
    .slice(0, MOST_TASKS);

export function openProject(listener: Listens, waitMs: number): Read<z.infer<typeof ProjectInput>, OpenedProject> {
  const readers = new Readers();
  return {
    name: 'openProject',
    input: ProjectInput,
    async run(tx, caller, input) {
      const { today, stored, text, named, workspaceId } = await read(tx, readers, () => readProject(tx, caller, input), listener, waitMs);
      if (stored === null || text === null) return { today, project: null, named, people: new Map() };
      const shown: StoredProject = JSON.parse(stored);
      const { skipped, length } = shown.line.text;
      const whole: ProjectForecast = JSON.parse(text.slice(skipped, skipped + length));
      const project = { ...whole, ...shownProject(shown) };
      const ids = new Set(listedTasks(project).flatMap(({ assigneeId }) => assigneeId ?? []));
      const people = ids.size > 0 ? await readAssignees(tx, caller, workspaceId, [...ids]) : [];
      return { today, project, named, people: new Map(people.map((one) => [one.id, one])) };
    },
  };
}

/** Workspaces whose forecast the caller may see, searched by name, for menus that are too long (behaviour §24.8). */
export type { Overseen } from './queries.ts';

const ListOverseenInput = z.strictObject({ q: z.string().max(300) });

export const listOverseen: Read<z.infer<typeof ListOverseenInput>, OverseenPage> = {
  name: 'listOverseen',
  input: ListOverseenInput,
  run: (tx, caller, { q }) => readOverseen(tx, caller, q),
};
