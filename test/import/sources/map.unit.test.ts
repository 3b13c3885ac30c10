/** map.json (behaviour §36.2). */
import { readFileSync } from 'node:fs';
import { checkMap } from '../../../src/import/sources/checkMap.ts';
import { ImportMap, importMapSchema } from '../../../src/import/sources/map.ts';
import { suite } from '../../support/suite.ts';
import { factsOf, opened, readAll } from './reading.ts';

const test = suite(import.meta.url);

const docs = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

test('docs/import-map.schema.json is the schema of map.json, and the example in docs/import.md fits it', (t) => {
  t.deepEqual(JSON.parse(docs('import-map.schema.json')), importMapSchema());
  const [, example] = /`map\.json` chooses[^`]*?\n```json\n(.*?)```/s.exec(docs('import.md').replace(/\(\[all[^)]*\)\)/, '')) ?? [];
  t.notThrows(() => ImportMap.parse(JSON.parse(example!)));
});

test('an empty map has defaults, and unknown or hostile names are refused', (t) => {
  t.like(ImportMap.parse({}), {
    hoursPerPoint: 4,
    sprints: 'labels',
    unknownPeople: 'unassigned',
    unknownStatuses: 'nearest',
    timezone: 'UTC',
  });
  for (const wrong of [
    { column: {} },
    { columns: { A: 'colour' } },
    { hoursPerPoint: 0 },
    { hoursPerPoint: '4' },
    { statuses: { constructor: 'done' } },
    { people: { Ana: 'no address' } },
    { types: { Bug: 'bug' } },
    { timezone: '+01:00' },
    [],
    null,
  ])
    t.false(ImportMap.safeParse(wrong).success, JSON.stringify(wrong));
  t.false(ImportMap.safeParse(JSON.parse('{"statuses":{"__proto__":"done","toString":"done"}}')).success);
});

test('a map that does not fit the workspace is refused with the path and the choices', (t) => {
  const refusal = (map: object) => t.throws(() => checkMap(ImportMap.parse(map), factsOf())).message;
  t.regex(refusal({ statuses: { QA: 'qa' } }), /^statuses\.QA: 'qa' is not a status that an import can set; give one of planned, /);
  t.regex(refusal({ statuses: { Signed: 'approved' } }), /^statuses\.Signed/);
  t.regex(refusal({ priorities: { P1: 'top' } }), /^priorities\.P1: .*low, normal, high, urgent\.$/);
  t.regex(refusal({ people: { Sean: 'sean@elsewhere.example' } }), /^people\.Sean: /);
  t.notThrows(() => checkMap(ImportMap.parse({ people: { Sean: 'sean@elsewhere.example' }, unknownPeople: 'invite' }), factsOf()));
});

const csv = (text: string, map: object) => readAll('csv', opened(text), map);

test('the map decides statuses, priorities, types, labels and people', async (t) => {
  const { planned } = await csv(
    'id,title,status,priority,type,labels,assignee\n1,a,QA,P1,Bug,"old, gone, MOBILE",Boss\n2,b,Done,,Epic,,Zoë Müller\n',
    {
      statuses: { QA: 'blocked' },
      priorities: { P1: 'low' },
      types: { Bug: 'milestone', Epic: 'label' },
      labels: { old: 'New', gone: null },
      people: { Boss: 'ANA@acme.example', 'Zoë Müller': null },
    },
  );
  t.like(planned[0], {
    type: 'milestone',
    status: 'blocked',
    labels: ['New', 'Mobile'],
    fields: { statusKey: 'blocked', priorityKey: 'low', assigneeId: 1 },
  });
  t.is(planned[0]!.fields.blockedReason, 'QA (in the imported file)');
  t.like(planned[1], { type: 'task', status: 'done', labels: ['Epic'] });
  t.is(planned[1]!.fields.assigneeId, undefined);
});

test('people who are not members are unassigned, or invited if they have an address', async (t) => {
  const text = 'id,title,assignee\n1,a,Sean <sean@elsewhere.example>\n2,b,Nameless\n3,c,ZOE@acme.example\n';
  const { planned, report } = await csv(text, {});
  t.deepEqual(
    planned.map(({ fields, inviteMail }) => [fields.assigneeId, inviteMail]),
    [
      [undefined, null],
      [undefined, null],
      [2, null],
    ],
  );
  t.deepEqual(
    report.people.entries.map(({ as }) => as),
    ['unassigned', 'unassigned', 'member'],
  );
  const invited = await csv(text, { unknownPeople: 'invite' });
  t.deepEqual(
    invited.planned.map(({ inviteMail }) => inviteMail),
    ['sean@elsewhere.example', null, null],
  );
  t.deepEqual(
    invited.report.people.entries.map(({ as }) => as),
    ['invited', 'unassigned', 'member'],
  );
});

test('texts that are not mail addresses, or that mail servers parse as others, are not invited', async (t) => {
  const hostile = ['"eve"@acme.example', 'eve%x@[127.0.0.1]', 'a..b@acme.example', 'eve@acme.example\r\nBcc: x@evil.example'];
  const users = [...hostile, 'ada@acme.example'].map((email, at) => ({ ref: `u${at}`, name: `User ${at}`, email }));
  const items = users.map(({ ref }) => ({ type: 'task', title: ref, fields: { assigneeId: { ref } } }));
  const file = JSON.stringify({ version: 1, accounts: [{ users, workspaces: [{ items }] }] });
  const { planned, report } = await readAll('stint', opened(file), { unknownPeople: 'invite' });
  t.deepEqual(
    planned.map(({ inviteMail }) => inviteMail),
    [...hostile.map(() => null), 'ada@acme.example'],
  );
  t.deepEqual(
    report.people.entries.map(({ as }) => as),
    [...hostile.map(() => 'unassigned'), 'invited'],
  );
});

test('sprints and milestones become labels, milestones, releases or are lost', async (t) => {
  const text = 'id,title,sprint,milestone\n1,a,"S1,S2",M1\n';
  const become = async (map: object) => {
    const { planned, report } = await csv(text, map);
    return [planned[0]!.container, planned[0]!.labels, report.lost.entries.map(({ column }) => column)];
  };
  t.deepEqual(await become({}), [{ type: 'milestone', title: 'M1' }, ['S1', 'S2'], []]);
  t.deepEqual(await become({ milestones: 'releases', sprints: 'ignore' }), [{ type: 'release', title: 'M1' }, [], ['Sprint']]);
  t.deepEqual(await become({ milestones: 'labels', sprints: 'milestones' }), [{ type: 'milestone', title: 'S2' }, ['S1', 'M1'], []]);
  t.deepEqual(await become({ milestones: 'ignore' }), [null, ['S1', 'S2'], ['Milestone']]);
});

test('unknown statuses are created if the map says so, under the nearest status', async (t) => {
  const { planned } = await csv('id,title,status\n1,a,Waiting for QA\n2,b,Done\n3,c,?!\n', { unknownStatuses: 'create' });
  t.deepEqual(planned[0]!.newStatus, {
    key: 'waiting_for_qa',
    label: 'Waiting for QA',
    status: 'blocked',
    types: ['task', 'requirement', 'goal', 'release', 'milestone'],
  });
  t.is(planned[1]!.newStatus, null);
  t.like(planned[2], { status: 'planned' });
});

test('a source that calls an issue closed makes it done or cancelled, whatever its status is', async (t) => {
  const { planned } = await csv(
    'id,title,status,closed,canceled\n1,a,In Progress,2026-01-02,\n2,b,Won’t do,2026-01-02,\n3,c,Doing,,2026-01-03\n',
    { columns: { canceled: 'cancelledAt' } },
  );
  t.deepEqual(
    planned.map(({ status, completedAt }) => [status, completedAt]),
    [
      ['done', '2026-01-02T00:00:00.000Z'],
      ['cancelled', null],
      ['cancelled', null],
    ],
  );
  t.is(planned[0]!.fields.progressPercent, 100);
});
