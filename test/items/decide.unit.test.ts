/** The effect of a change on an item, against a separate implementation of the rules of behaviour §4. */
import fc from 'fast-check';
import { ALL_RIGHTS, type ItemType } from '../../src/access/rights.ts';
import { changedFields, changesNothing } from '../../src/items/changedFields.ts';
import { decideItem } from '../../src/items/decide.ts';
import type { ItemFacts } from '../../src/items/queries.ts';
import type { ItemChange, ItemRow, Status, Work, WorkFields } from '../../src/items/schema.ts';
import { AppError } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const types = ['task', 'requirement', 'goal', 'release', 'milestone'] as const;
const statuses = ['planned', 'in_progress', 'blocked', 'in_review', 'pending_approval', 'approved', 'done', 'cancelled'] as const;
const common = 'statusKey priorityKey assigneeId blockedReason progressPercent estimatedHours startDate';
const table: Record<ItemType, string> = {
  task: 'dueDate acceptance parentItemId requirementId releaseId goalId',
  requirement: 'dueDate targetDate acceptance reach impact confidence effort reachPeriod parentId releaseId goalId',
  goal: 'targetDate actualDate level unit target current parentId',
  release: 'targetDate actualDate versionLabel goalId',
  milestone: 'targetDate dueDate actualDate releaseId requirementId goalId',
};
const fits = (type: ItemType, name: string) => `${common} ${table[type]}`.split(' ').includes(name);
const approvable = (type: ItemType) => type === 'requirement' || type === 'release';

const TODAY = '2026-04-15';
/** Items 11 to 15 are one of each type. */
const linkable: Record<string, ItemType> = { 11: 'task', 12: 'requirement', 13: 'goal', 14: 'release', 15: 'milestone' };
const facts = (stored: Work | null): ItemFacts & { contextRights: number } => ({
  contextRights: ALL_RIGHTS,
  today: TODAY,
  stored,
  statuses: [
    ...statuses.map((status) => ({ key: status, status, types: status.includes('appro') ? ['requirement', 'release'] : [...types] })),
    { key: 'doing', status: 'in_progress', types: ['task'] },
  ],
  priorities: ['low', 'normal', 'high'].map((key) => ({ key, default: key === 'normal' })),
  people: { 3: 'Ana' },
  targets: linkable,
});

const day = fc.constantFrom('2026-04-01', '2026-04-15', '2026-05-01');
const amount = fc.constantFrom(0, 12.5, 100);
const values: Record<string, fc.Arbitrary<unknown>> = {
  statusKey: fc.constantFrom(...statuses, 'doing'),
  priorityKey: fc.constantFrom('low', 'normal', 'high'),
  assigneeId: fc.constant(3),
  blockedReason: fc.constantFrom('Rain', 'Snow'),
  acceptance: fc.constant('A'),
  reachPeriod: fc.constant('2026-Q2'),
  level: fc.constant('team'),
  unit: fc.constant('%'),
  versionLabel: fc.constant('v1'),
};
for (const name of ['dueDate', 'startDate', 'targetDate', 'actualDate']) values[name] = day;
for (const name of 'estimatedHours progressPercent reach impact confidence effort target current'.split(' ')) values[name] = amount;
Object.assign(values, {
  parentItemId: fc.constantFrom(11, 15),
  requirementId: fc.constant(12),
  releaseId: fc.constant(14),
  goalId: fc.constant(13),
});
const parentOf: Partial<Record<ItemType, number>> = { requirement: 12, goal: 13 };
const names = [...Object.keys(values), 'parentId'];

const now = ['statusKey', 'blockedReason', 'parentId'];
/** Fields of the type, each with a value, null, or left out. Valid for the status more often than not. */
const fieldsOf = (type: ItemType, status: Status) => {
  const own = names.filter((name) => fits(type, name) && !now.includes(name)).map((name) => [name, fc.option(values[name]!, { freq: 6 })]);
  const key = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(undefined, null, status) }, values.statusKey!);
  const reason = status === 'blocked' ? values.blockedReason! : fc.constantFrom(undefined, null);
  const parent = parentOf[type] === undefined ? [] : [['parentId', fc.option(fc.constant(parentOf[type]))]];
  const some = fc.record(Object.fromEntries([...own, ...parent]), { requiredKeys: [] });
  return fc
    .tuple(some, key, fc.oneof({ weight: 6, arbitrary: reason }, values.blockedReason!))
    .map(([given, statusKey, blockedReason]) => ({ ...given, statusKey, blockedReason }) as WorkFields);
};
const changeOf = (type: ItemType): fc.Arbitrary<ItemChange> =>
  fc
    .oneof(
      { weight: 4, arbitrary: fc.constantFrom(...statuses.filter((status) => !status.includes('appro'))) },
      fc.constantFrom(...statuses),
    )
    .chain((status) =>
      fc.record({
        title: fc.constantFrom('A', 'B'),
        description: fc.constant(''),
        status: fc.constant(status),
        fields: fieldsOf(type, status),
      }),
    );
const changes = fc
  .constantFrom(...types)
  .chain((type) => fc.tuple(fc.constant(type), fc.array(changeOf(type), { minLength: 1, maxLength: 4 })));

function decide(type: ItemType, change: ItemChange, stored: Work | null): ItemRow | AppError {
  try {
    return decideItem(type, change, facts(stored));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The row as it would be read back. */
function asStored(row: ItemRow, stored: Work | null): Work {
  const fields = { ...row.fields, assigneeName: row.fields.assigneeId === 3 ? 'Ana' : null };
  return { ...row, id: 1, version: (stored?.version ?? 0) + 1, fields } as unknown as Work;
}

/** Applies changes one after another. */
function play(type: ItemType, all: ItemChange[], look: (row: ItemRow | AppError, change: ItemChange, stored: Work | null) => void) {
  let stored: Work | null = null;
  for (const change of all) {
    const row = decide(type, change, stored);
    look(row, change, stored);
    if (!(row instanceof AppError)) stored = asStored(row, stored);
  }
}

const RUNS = { numRuns: runs(1_000) };

test('every written item follows the rules of its type, status and dates', (t) => {
  let written = 0;
  fc.assert(
    fc.property(changes, ([type, all]) => {
      play(type, all, (row, _change, stored) => {
        if (row instanceof AppError) return;
        written++;
        const { fields, status } = row as { fields: Record<string, string | null>; status: Status };
        for (const name of names) if (!fits(type, name)) t.is(fields[name], null);
        t.is(fields.statusKey === 'doing' ? 'in_progress' : fields.statusKey, status);
        t.is(fields.blockedReason !== null, status === 'blocked');
        for (const end of ['dueDate', 'targetDate'])
          t.false(fields.startDate !== null && fields[end] != null && fields.startDate! > fields[end]);
        if (status === 'done' && stored?.status !== 'done') {
          t.is(fields.progressPercent as unknown, 100);
          if (fits(type, 'actualDate')) t.truthy(fields.actualDate);
        }
        t.false(status === 'pending_approval' || (status === 'approved' && stored?.status !== 'approved'));
      });
    }),
    RUNS,
  );
  t.true(written > runs(1_000) / 4, String(written));
});

test('given fields are written, omitted ones are kept, null clears', (t) => {
  fc.assert(
    fc.property(changes, ([type, all]) => {
      play(type, all, (row, { fields: given = {} }, stored) => {
        if (row instanceof AppError) return;
        const decided = new Set(['statusKey', 'blockedReason', ...(row.completedNow ? ['progressPercent', 'actualDate'] : [])]);
        if (!stored && type === 'task') decided.add('priorityKey');
        for (const name of names.filter((each) => !decided.has(each))) {
          const wanted = (given as Record<string, unknown>)[name];
          t.is(
            (row.fields as Record<string, unknown>)[name],
            wanted === undefined ? ((stored?.fields as Record<string, unknown>)?.[name] ?? null) : wanted,
            name,
          );
        }
      });
    }),
    RUNS,
  );
});

test('repeating a change changes nothing', (t) => {
  fc.assert(
    fc.property(changes, ([type, all]) => {
      play(type, all, (row, change, stored) => {
        if (row instanceof AppError || row.completedNow) return;
        const after = asStored(row, stored);
        const again = decide(
          type,
          { ...change, fields: { ...change.fields, blockedReason: row.fields.blockedReason as string | null } },
          after,
        );
        t.false(again instanceof AppError);
        if (!(again instanceof AppError) && (stored || type !== 'task')) t.true(changesNothing(changedFields(after, again)));
      });
    }),
    RUNS,
  );
});

test('a field of another type is refused by name, and so is approval where the type has none', (t) => {
  const foreign = fc
    .constantFrom(...types)
    .chain((type) =>
      fc
        .constantFrom(...names.filter((name) => !fits(type, name)))
        .chain((name) => fc.tuple(fc.constant(type), fc.constant(name), values[name] ?? fc.constant(12))),
    );
  fc.assert(
    fc.property(foreign, ([type, name, value]) => {
      const refusal = decide(type, { title: 'A', description: '', status: 'planned', fields: { [name]: value } }, null);
      t.true(refusal instanceof AppError && refusal.code === 'invalid_request' && refusal.message.startsWith(`fields.${name}: `));
    }),
    RUNS,
  );
  for (const type of types) {
    for (const status of ['pending_approval', 'approved'] as const) {
      const refusal = decide(type, { title: 'A', description: '', status, fields: {} }, null) as AppError;
      t.is(refusal.code, approvable(type) ? 'forbidden' : 'invalid_request');
    }
  }
});

test('a priority, status key, assignee, owner or link that is no longer eligible stays; an item cannot get another such value', (t) => {
  const values = { priorityKey: 'gone', statusKey: 'old', assigneeId: 98, releaseId: 77 };
  const created = decide('task', { title: 'A', description: '', status: 'planned', fields: {} }, null) as ItemRow;
  const before = { ...created, ownerId: 99, fields: { ...created.fields, ...values } };
  const stored = { ...asStored(before, null), ownerId: 99 } as Work;
  for (const fields of [{}, values]) {
    const kept = decide('task', { title: 'B', ownerId: 99, fields }, stored) as ItemRow;
    t.like(kept, { title: 'B', ownerId: 99, fields: values }, String(kept));
  }
  for (const [name, value] of Object.entries({ priorityKey: 'lost', statusKey: 'lost', assigneeId: 97 })) {
    const refusal = decide('task', { fields: { [name]: value } }, stored);
    t.true(refusal instanceof AppError && refusal.message.startsWith(`fields.${name}: `), String(refusal));
  }
  t.regex(String(decide('task', { ownerId: 97 }, stored)), /ownerId: /);
  t.is((decide('task', { fields: { releaseId: 76 } }, stored) as AppError).code, 'forbidden');
});
