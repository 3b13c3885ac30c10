/** Templates of a workspace (behaviour §37.5–§37.7). */
import type { Caller } from '../../src/access/caller.ts';
import { TemplateItems } from '../../src/templates/schema.ts';
import { applyTemplate, listTemplates, nameTemplate, removeTemplate, saveTemplate } from '../../src/templates/templates.ts';
import { fileDatabase } from '../support/database.ts';
import { type OperationWorld, operationWorld, refusal } from '../support/operationWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: OperationWorld['world'];
let run: OperationWorld['run'];
let end: OperationWorld['end'] | undefined;
test.before('a workspace', async () => {
  ({ world, run, end } = await operationWorld(database.url, 4));
});
test.after('stop', () => end?.());

const codeOf = async (work: Promise<unknown>) => (await refusal(work)).code;

const along = { below: true, labels: true, dependencies: true };
const use = { start: '2026-12-01', assigneeId: null };
const named = async (name: string, caller?: Caller) =>
  (await run(listTemplates, {}, caller)).templates.find((one: { name: string }) => one.name === name);

async function launch(name: string) {
  const { body: label } = await world.owner.post('/labels/save', { label: { name: `label of ${name}` } });
  const outside = await world.make('release');
  const root = await world.make(
    'task',
    { startDate: '2026-03-02', dueDate: '2026-03-13', releaseId: outside.id, assigneeId: world.ownerId },
    { title: 'Launch', status: 'in_progress' },
  );
  const first = await world.make(
    'task',
    { parentItemId: root.id, dueDate: '2026-03-04', estimatedHours: 3 },
    { title: 'Write', ownerId: world.ownerId },
  );
  const second = await world.make('task', { parentItemId: root.id, dueDate: '2026-03-09' }, { title: 'Ship' });
  await world.owner.post('/relations/save', { id: second.id, version: 1, labels: [label.id], blockedBy: [{ id: first.id, lagDays: 1 }] });
  await run(saveTemplate, { id: root.id, ...along, name });
  return { label, root, first, second, template: await named(name) };
}

test('a template keeps the item and the items below it, without people, state and links to items outside it', async (t) => {
  const { template, label } = await launch('Release');
  t.like(template, {
    name: 'Release',
    count: 3,
    type: 'task',
    lines: [{ type: 'task', title: 'Launch' }, { title: 'Write' }, { title: 'Ship' }],
  });
  const mate = await world.join('member');
  const made = await run(
    applyTemplate,
    { templateId: template.id, title: 'Launch 2', start: '2026-12-01', assigneeId: mate.userId },
    { kind: 'user', userId: mate.userId },
  );
  t.is(made.count, 3);
  const copy = await world.read(made.id);
  t.like(copy, { title: 'Launch 2', status: 'planned', version: 1, ownerId: undefined });
  t.like(copy.fields, { startDate: '2026-12-01', dueDate: '2026-12-14', releaseId: null, assigneeId: mate.userId, progressPercent: null });
  const below = await world.fixtures.sql(
    'select id::integer, title, due_date::text, assignee_id::integer from items where parent_item_id = $1 order by id',
    [made.id],
  );
  t.deepEqual(
    below.map(({ title, due_date: due, assignee_id: assignee }) => [title, due, assignee]),
    [
      ['Write', '2026-12-03', mate.userId],
      ['Ship', '2026-12-08', mate.userId],
    ],
  );
  t.like((await world.owner.get('/relations', { id: below[1].id })).body, {
    labels: [{ id: label.id }],
    blockedBy: [{ id: below[0].id, lagDays: 1 }],
  });
});

test('without a start the items have no dates; without a title the first item gets the title in the template', async (t) => {
  const { template } = await launch('Dateless');
  const made = await run(applyTemplate, { templateId: template.id, start: null, assigneeId: null });
  t.like(await world.read(made.id), { title: 'Launch', fields: { startDate: null, dueDate: null, assigneeId: null } });
});

test('a merged label becomes the label that it was merged into; archived labels are left out', async (t) => {
  const { template, label } = await launch('Labelled');
  const { body: other } = await world.owner.post('/labels/save', { label: { name: 'the other' } });
  await world.owner.post('/labels/save', { label: { id: label.id, name: label.name, mergeInto: other.id } });
  const labelsOf = async () => {
    const { id } = await run(applyTemplate, { templateId: template.id, ...use });
    const rows = await world.fixtures.sql(
      'select l.label_id::integer as id from item_labels l join items i on i.id = l.item_id where i.parent_item_id = $1',
      [id],
    );
    return rows.map((row) => row.id);
  };
  t.deepEqual(await labelsOf(), [other.id]);
  await world.owner.post('/labels/save', { label: { id: other.id, name: 'the other', archived: true } });
  t.deepEqual(await labelsOf(), []);
});

test('managers rename, replace and delete templates; names are unique ignoring case', async (t) => {
  const manager: Caller = { kind: 'user', userId: (await world.join('manager')).userId };
  const { template, first } = await launch('Onboarding');
  await launch('Other');
  await run(nameTemplate, { templateId: template.id, name: 'Onboard' }, manager);
  t.regex((await refusal(run(nameTemplate, { templateId: template.id, name: 'OTHER' }, manager))).message, /already is a template 'OTHER'/);
  t.regex((await refusal(run(saveTemplate, { id: first.id, ...along, name: 'onboard' }, manager))).message, /already is a template/);
  await run(saveTemplate, { id: first.id, ...along, templateId: template.id }, manager);
  t.like(await named('Onboard'), { id: template.id, count: 1, lines: [{ title: 'Write' }] });
  await run(removeTemplate, { templateId: template.id }, manager);
  t.is(await named('Onboard'), undefined);
  t.is(await codeOf(run(nameTemplate, { templateId: template.id, name: 'x' })), 'forbidden');
  t.is(await codeOf(run(removeTemplate, { templateId: template.id })), 'forbidden');
  t.is(await codeOf(run(applyTemplate, { templateId: template.id, ...use })), 'forbidden');
});

test('users who may write tasks can use templates; members can’t change them', async (t) => {
  const { template, root } = await launch('Shared');
  const member: Caller = { kind: 'user', userId: (await world.join('member')).userId };
  t.is((await run(listTemplates, {}, member)).manages, false);
  t.truthy(await named('Shared', member));
  t.is(await codeOf(run(nameTemplate, { templateId: template.id, name: 'Mine' }, member)), 'forbidden');
  t.is(await codeOf(run(removeTemplate, { templateId: template.id }, member)), 'forbidden');
  t.is(await codeOf(run(saveTemplate, { id: root.id, ...along, name: 'Mine' }, member)), 'forbidden');
  const viewer: Caller = { kind: 'user', userId: (await world.join('viewer')).userId };
  const stranger: Caller = { kind: 'user', userId: await world.fixtures.user(await world.fixtures.account()) };
  for (const caller of [viewer, stranger]) {
    t.is(await codeOf(run(listTemplates, {}, caller)), 'forbidden');
    t.is(await codeOf(run(applyTemplate, { templateId: template.id, ...use }, caller)), 'forbidden');
  }
});

test('a template with types that the user may not write is hidden', async (t) => {
  const goal = await world.make('goal', {}, { title: 'Grow' });
  await world.make('task', { goalId: goal.id });
  await run(saveTemplate, { id: goal.id, ...along, name: 'Goal' });
  const { id: templateId } = await named('Goal');
  const member: Caller = { kind: 'user', userId: (await world.join('member')).userId };
  const manager: Caller = { kind: 'user', userId: (await world.join('manager', { goals: 'read' })).userId };
  for (const caller of [member, manager]) {
    t.is(await named('Goal', caller), undefined);
    t.is(await codeOf(run(applyTemplate, { templateId, ...use }, caller)), 'forbidden');
  }
  t.is(await codeOf(run(nameTemplate, { templateId, name: 'Mine' }, manager)), 'forbidden');
  t.is(await codeOf(run(removeTemplate, { templateId }, manager)), 'forbidden');
  const made = await run(applyTemplate, { templateId, ...use });
  t.is(made.count, 2);
});

test('wrong inputs are refused: another workspace, people who can’t be assigned, two targets, empty names', async (t) => {
  const { template, root } = await launch('Strict');
  const other = await world.fixtures.workspace(world.accountId);
  await world.fixtures.member(other, world.ownerId);
  t.is(await codeOf(run(applyTemplate, { workspaceId: other, templateId: template.id, ...use })), 'forbidden');
  const viewer = await world.join('viewer');
  t.regex(
    (await refusal(run(applyTemplate, { templateId: template.id, start: null, assigneeId: viewer.userId }))).message,
    /can’t be assigned/,
  );
  t.is(await codeOf(run(saveTemplate, { id: root.id, ...along })), 'invalid_request');
  t.is(await codeOf(run(saveTemplate, { id: root.id, ...along, name: 'x', templateId: template.id })), 'invalid_request');
  t.is(await codeOf(run(saveTemplate, { id: root.id, ...along, name: ' ' })), 'invalid_request');
  t.is(await codeOf(run(saveTemplate, { id: 9_999_999, ...along, name: 'None' })), 'forbidden');
});

test('if two users save a template with the same name at the same time, only one succeeds', async (t) => {
  const task = await world.make('task');
  const both = await Promise.allSettled([1, 2].map(() => run(saveTemplate, { id: task.id, ...along, name: 'Race' })));
  t.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('the stored items are checked: fields by type, links to earlier items of a fitting type, no cycles', (t) => {
  const task = { type: 'task', title: 'A' };
  const fits = (...items: object[]) => TemplateItems.safeParse(items).success;
  t.true(fits(task, { ...task, links: { parentItemId: 0 }, blockedBy: [{ item: 0 }], fields: { dueDate: '2026-01-02' } }));
  t.false(fits());
  t.false(fits(...Array(501).fill(task)));
  t.false(fits({ ...task, fields: { targetDate: '2026-01-02' } }), 'another type’s field');
  t.false(fits({ ...task, fields: { assigneeId: 3 } }), 'people');
  t.false(fits({ ...task, fields: { statusKey: 'done' } }), 'state');
  t.false(fits({ ...task, links: { parentItemId: 0 } }), 'a link to itself');
  t.false(fits({ ...task, links: { parentItemId: 1 } }, task), 'a link to a later item');
  t.false(fits({ type: 'goal', title: 'G' }, { ...task, links: { parentItemId: 0 } }), 'a link to a wrong type');
  t.false(fits({ ...task, blockedBy: [{ item: 1 }] }, { ...task, blockedBy: [{ item: 0 }] }), 'a cycle');
  t.false(fits({ ...task, blockedBy: [{ item: 0 }] }), 'waits for itself');
  t.false(fits({ ...task, blockedBy: [{ item: 5 }] }), 'an absent place');
  t.false(fits({ ...task, more: 1 }), 'an unknown property');
});
