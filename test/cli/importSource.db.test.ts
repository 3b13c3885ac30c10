/** `stint import --format` (behaviour §36.17). */
import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type ModelIssue, model } from '../import/sources/model.ts';
import { stint, stintHere } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const exported = (name: string) => fileURLToPath(new URL(`../import/sources/exports/${name}`, import.meta.url));
let refs: WorldRefs;
let client: pg.Client;
let folder: string;
test.before(async () => {
  refs = await world(
    database.url,
    oneWorkspace({ members: [{ user: 'vi', role: 'viewer' }] }, { users: [{ ref: 'vi', email: 'vi@acme.example', name: 'Vi' }] }),
  );
  client = new pg.Client(database.url);
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'stint-import-test-'));
});
test.after(() => client.end());

const given = (format: string, file: string, ...more: string[]) => [
  'import',
  '--format',
  format,
  exported(file),
  '--workspace',
  String(refs.id('apollo')),
  '--user',
  String(refs.id('ana')),
  ...more,
];
const mapFile = (content: string) => {
  const path = join(folder, `map${Math.random()}.json`);
  writeFileSync(path, content);
  return path;
};
const count = async (what: string) => Number((await client.query(`select count(*) from ${what}`)).rows[0].count);

test('--dry-run prints the report and ten items, and writes nothing', async (t) => {
  const before = await count('items');
  const dry = await stint(database.url, [...given('jira', 'jira.csv'), '--dry-run']);
  t.is(dry.code, 0, dry.stderr);
  const [parents, blockers] = [
    model(80).filter(({ parent }) => parent !== null).length,
    model(80).flatMap(({ blockedBy }) => blockedBy).length,
  ];
  t.true(dry.stdout.startsWith(`80 issues, 120 comments, ${parents} parents, ${blockers} dependencies.\n`), dry.stdout.slice(0, 100));
  t.regex(dry.stdout, /\nLost:\n {2}Resolution: 27, such as SHOP-1, /);
  t.regex(
    dry.stdout,
    /\nNothing was written\. The first items:\n\nkey +type +status +title +labels +parent\nSHOP-1 +requirement +cancelled +/,
  );
  const { json } = await stintHere(database.url, [...given('jira', 'jira.csv'), '--dry-run', '--json']);
  t.like(json, { dryRun: true, report: { issues: 80, format: 'jira' } });
  t.is(json.items.length, 10);
  t.is(await count('items'), before);
  t.is(await count('labels'), 0);
});

test('without --dry-run the items are there, and a second run updates them', async (t) => {
  const before = await count('items');
  const map = mapFile('{"hoursPerPoint": 2, "statuses": {"Backlog": "in_progress"}}');
  const first = await stintHere(database.url, [...given('jira', 'jira.csv'), '--map', map, '--json']);
  t.is(first.code, 0, first.stderr);
  t.like(first.json, { ok: true, state: 'done', updated: 0, refused: 0, comments: 120, report: { points: { hoursPerPoint: 2 } } });
  t.is(await count('items'), before + first.json.created);
  const { rows } = await client.query('select estimated_hours, status from items where title = \'Refund "partial" orders (10)\'');
  t.deepEqual(rows, [{ estimated_hours: 16, status: 'cancelled' }]);
  const again = await stintHere(database.url, [...given('jira', 'jira.csv'), '--map', map]);
  t.is(again.code, 0, again.stderr);
  t.regex(again.stdout, /\n0 created, \d+ updated, \d+ unchanged, 0 refused, 0 comments\./);
  t.is(await count('items'), before + first.json.created);
});

/** Issues, milestones, comments, and issues with a parent that the workspace has. */
const others: [format: string, file: string, issues: ModelIssue[], containers: number, comments: boolean, parents: boolean][] = [
  ['linear', 'linear.csv', model(80), 1, false, true],
  ['trello', 'trello.json', model(80), 0, true, false],
  ['asana', 'asana.csv', model(24), 0, false, true],
  ['github', 'github-rest.json', model(15).filter(({ n }) => n % 5 !== 0), 1, false, false],
  ['github', 'github-cli.json', model(10), 1, true, false],
  ['csv', 'free.csv', model(20), 0, false, false],
];
for (const [format, file, issues, containers, comments, parents] of others) {
  test(`${file}: every issue, comment, label, parent and blocker of the file is in the workspace`, async (t) => {
    const own = await world(database.url, oneWorkspace());
    const [workspace, user] = [String(own.id('apollo')), String(own.id('ana'))];
    const inside = (table: string, where = 'true') => count(`${table} where workspace_id = ${workspace} and ${where}`);
    const before = await inside('items');
    const { code, stderr, json } = await stintHere(database.url, [
      'import',
      '--format',
      format,
      exported(file),
      '--workspace',
      workspace,
      '--user',
      user,
      '--json',
    ]);
    t.is(code, 0, stderr);
    t.like(json, { ok: true, created: issues.length + containers, refused: 0, problems: [], report: { refused: { count: 0 } } });
    t.is(await inside('items'), before + issues.length + containers);
    t.is(await inside('comments'), comments ? issues.flatMap((issue) => issue.comments).length : 0);
    t.is(await inside('item_dependencies'), parents ? issues.flatMap(({ blockedBy }) => blockedBy).length : 0);
    for (const label of ['checkout', 'tech debt'])
      t.is(
        await inside('item_labels', `label_id in (select id from labels where name = '${label}')`),
        issues.filter(({ labels }) => labels.includes(label)).length,
      );
    if (parents) t.is(json.report.parents, issues.filter(({ parent }) => parent !== null).length);
  });
}

test('wrong options, files and people are refused, and nothing is written', async (t) => {
  const before = await count('items');
  const refused = async (words: string[], message: RegExp, input = '') => {
    const { code, stderr } = await stintHere(database.url, words, { input });
    t.is(code, 1, words.join(' '));
    t.regex(stderr, message);
  };
  const [workspace, ana] = [String(refs.id('apollo')), String(refs.id('ana'))];
  await refused(['import', exported('jira.csv'), '--dry-run'], /^--dry-run: needs --format/);
  await refused(['import', '--format', 'excel', exported('jira.csv')], /^--format: give one of csv, jira, /);
  await refused(['import', '--format', 'jira', exported('jira.csv'), '--user', ana], /^--workspace: give the workspace/);
  await refused(['import', '--format', 'jira', exported('jira.csv'), '--workspace', workspace], /^--user: give the person/);
  await refused(given('jira', 'jira.csv', '--map', mapFile('{')), /^--map: is not valid JSON; correct the file\.$/);
  await refused(given('jira', 'jira.csv', '--map', mapFile('{"colums": {}}')), /colums/);
  await refused(
    given('jira', 'jira.csv', '--map', mapFile('{"statuses": {"QA": "qa"}}')),
    /^statuses\.QA: 'qa' is not a status that an import can set/,
  );
  await refused(given('trello', 'jira.csv'), /^The file is not valid JSON/);
  await refused(given('csv', 'missing.csv'), /can't be read/);
  const viewer = ['import', '--format', 'csv', '-', '--workspace', workspace, '--user', String(refs.id('vi'))];
  await refused(viewer, /You have no access to this/, 'id,title\n1,a\n');
  await refused(
    ['import', '--format', 'csv', '-', '--workspace', '999999', '--user', ana],
    /You have no access to this/,
    'id,title\n1,a\n',
  );
  await refused(['import', '--format', 'csv', '-', '--workspace', workspace, '--user', ana], /^The file is empty/);
  t.is(await count('items'), before);
});

test('a file from standard input is imported', async (t) => {
  const words = ['import', '--format', 'csv', '-', '--workspace', String(refs.id('apollo')), '--user', String(refs.id('ana')), '--json'];
  const { json } = await stintHere(database.url, words, { input: 'id,title,status\nX1,From a pipe,Done\nX2,,Done\n' });
  t.like(json, { ok: true, created: 1 });
  t.is(await count("items where title = 'From a pipe' and status = 'done'"), 1);
});
