/** The capacity page: one page of people and one of projects from the newest snapshot, worst first (behaviour §24.6). */
import { z } from 'zod';
import { Cursor } from '../../changes/cursor.ts';
import type { Listens } from '../../database/listen.ts';
import type { Read } from '../../operations/operation.ts';
import { Id } from '../../values/text.ts';
import { type OutlineHead, PEOPLE_PER_PAGE, type PersonLine, PROJECTS_PER_PAGE, type ProjectLine } from '../forecast/outline.ts';
import type { Explained } from '../forecast/schema.ts';
import { isMissing, onceComputed, Readers, ScopeInput } from './getCapacity.ts';
import { type Mark, type PageMissing, type PageRow, readPage, readProject } from './pageQueries.ts';
import { type OverseenPage, readOverseen } from './queries.ts';

export type { Mark } from './pageQueries.ts';

const Page = z.int().min(1).max(1_000_000);
/** `saved`: a transaction that the figures should include. `wait`: wait for them, with a time limit. */
const GetCapacityPageInput = ScopeInput.extend({ people: Page, projects: Page, saved: Cursor.nullish(), wait: z.boolean().optional() });

export interface Rows<Row> {
  rows: readonly Row[];
  page: number;
  pages: number;
}

export interface Outline {
  head: OutlineHead;
  /** The figures do not include `saved` yet: a new snapshot is being computed. */
  outdated: boolean;
  people: Rows<PersonLine>;
  /** Marks service users and people who have left, by user id. Snapshots do not store this. */
  marks: ReadonlyMap<number, Mark>;
  projects: Rows<ProjectLine>;
  workspaceOf: ReadonlyMap<number, string>;
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
      readers.note(tx, found.forecastId);
      return { overseen: true, name: found.name, outline: outlineIn(found) };
    },
  };
}

function outlineIn({ head: text, outdated, people, peoplePage, projects, projectsPage, places, marks, named }: PageRow): Outline {
  const head: OutlineHead = JSON.parse(text);
  return {
    head,
    outdated,
    people: rowsIn(people, peoplePage, head.peopleCount, PEOPLE_PER_PAGE),
    marks: marksIn(marks ?? []),
    projects: rowsIn(projects, projectsPage, head.projectCount, PROJECTS_PER_PAGE),
    named,
    workspaceOf: new Map(Object.entries(places ?? {}).map(([id, name]) => [Number(id), name])),
  };
}

const marksIn = (marks: readonly Mark[]) => new Map(marks.map((mark) => [mark.id, mark]));

const ProjectInput = ScopeInput.extend({ projectId: Id, people: z.array(Id).max(100) });

export const explainProject: Read<z.infer<typeof ProjectInput>, ProjectNotes> = {
  name: 'explainProject',
  input: ProjectInput,
  async run(tx, caller, input) {
    const { workspace, explained, people, named } = await readProject(tx, caller, input);
    return { workspace, explained, named, marks: marksIn(people) };
  },
};

export interface ProjectNotes {
  workspace: string;
  explained: Explained | null;
  named: readonly number[];
  marks: ReadonlyMap<number, Mark>;
}

const rowsIn = <Row>(text: string | null, n: number | null, count: number, perPage: number): Rows<Row> => ({
  rows: text === null ? [] : JSON.parse(text),
  page: (n ?? 0) + 1,
  pages: Math.max(1, Math.ceil(count / perPage)),
});

/** Workspaces whose forecast the caller may see, searched by name, for menus that are too long (behaviour §24.8). */
export type { Overseen } from './queries.ts';

const ListOverseenInput = z.strictObject({ q: z.string().max(300) });

export const listOverseen: Read<z.infer<typeof ListOverseenInput>, OverseenPage> = {
  name: 'listOverseen',
  input: ListOverseenInput,
  run: (tx, caller, { q }) => readOverseen(tx, caller, q),
};
