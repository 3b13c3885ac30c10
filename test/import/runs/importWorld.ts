/** Imports for tests: a workspace that Ana owns, files, and the jobs. */
import type { Caller } from '../../../src/access/caller.ts';
import { startImport, uploadImport } from '../../../src/import/runs/imports.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { perform } from '../../../src/operations/perform.ts';
import { runDueJobs } from '../../support/tasks.ts';
import type { Team, World } from '../../support/timeWorld.ts';

export interface Issue {
  key: string;
  title?: string;
  status?: string;
  type?: string;
  description?: string;
  labels?: string[];
  assignee?: string;
  parent?: string;
  blockedBy?: string[];
  milestone?: string;
  /** `at`: such as 03/Feb/26 10:00 AM. */
  comments?: { author: string; at: string; body: string }[];
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const header = ['Issue key', 'Summary', 'Issue Type', 'Status', 'Description', 'Assignee', 'Parent key', 'Fix versions', 'Created'];

/** A CSV export of Jira. 'bad': a row without a key. */
export function fileOf(issues: readonly (Issue | 'bad')[]): string {
  const widest = (count: (issue: Issue) => number) => Math.max(0, ...issues.map((one) => (one === 'bad' ? 0 : count(one))));
  const [labels, blockers, comments] = [
    widest((one) => one.labels?.length ?? 0),
    widest((one) => one.blockedBy?.length ?? 0),
    widest((one) => one.comments?.length ?? 0),
  ];
  const padded = (values: readonly string[] = [], length: number) => Array.from({ length }, (_, at) => values[at] ?? '');
  const columns = [
    ...header,
    ...padded([], labels).fill('Labels'),
    ...padded([], blockers).fill('Inward issue link (Blocks)'),
    ...padded([], comments).fill('Comment'),
  ];
  const lines = issues.map((one) => {
    const { key, title, type, status, description, assignee, parent, milestone, ...lists }: Issue =
      one === 'bad' ? { key: '', title: 'No key' } : one;
    return [
      ...[
        key,
        title ?? key,
        type ?? '',
        status ?? '',
        description ?? '',
        assignee ?? '',
        parent ?? '',
        milestone ?? '',
        '01/Feb/26 9:00 AM',
      ],
      ...padded(lists.labels, labels),
      ...padded(lists.blockedBy, blockers),
      ...padded(
        lists.comments?.map(({ author, at, body }) => `${at};${author};${body}`),
        comments,
      ),
    ];
  });
  return [columns, ...lines].map((line) => line.map(cell).join(',')).join('\n');
}

export async function owner(world: World): Promise<Team> {
  const team = await world.team();
  await world.value(`update memberships set role = 'owner' where workspace_id = $1 and user_id = $2`, [team.workspaceId, team.userId]);
  return team;
}

export const upload = (
  world: World,
  { person, workspaceId }: Team,
  text: string,
  given: { map?: object; by?: Caller } = {},
): Promise<number> =>
  uploadImport(world.db, given.by ?? person, {
    ...{ workspaceId, fileName: 'shop.csv', source: pieces(text), quotaBytes: 1e9 },
    ...(given.map && { map: ImportMap.parse(given.map) }),
  });

export async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536));
}

export const start = (world: World, { person, workspaceId }: Team, importId: number, mailed = false) =>
  perform(world.db, person, startImport, { workspaceId, importId, mailed });

/** Uploads the issues, starts the import and runs its jobs. */
export async function imported(
  world: World,
  team: Team,
  issues: readonly (Issue | 'bad')[],
  given: { map?: object } = {},
): Promise<number> {
  const importId = await upload(world, team, fileOf(issues), given);
  await runDueJobs(world);
  await start(world, team, importId);
  await runDueJobs(world);
  return importId;
}

export const stateOf = async (world: World, importId: number) => (await world.rows('select * from imports where id = $1', [importId]))[0];

export const itemOf = async (world: World, key: string) =>
  (
    await world.rows(
      'select i.*, k.key, k.url, k.written, k.again, k.version as imported_version from imported_items k join items i on i.id = k.item_id where k.key = $1 order by i.id desc',
      [key],
    )
  )[0];
