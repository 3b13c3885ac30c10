/** Warnings of writes (behaviour §7.39), rule by rule. */
import type { Caller } from '../../src/access/caller.ts';
import type { ChangedFields } from '../../src/changes/schema.ts';
import { type ItemRow, unsetFields, type Work } from '../../src/items/schema.ts';
import { type Above, planWarnings, type WarningFacts, warningsOf } from '../../src/items/warnings.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const row = (fields: Record<string, unknown>, more: Partial<ItemRow> = {}): ItemRow => ({
  ...{ type: 'task', title: 'T', description: '', status: 'planned', ownerId: null, completedNow: false },
  fields: { ...unsetFields, ...fields },
  ...more,
});
const stored = (fields: Record<string, unknown>): Work => ({ ...row(fields), id: 7, version: 1 }) as unknown as Work;
const above = (more: Partial<Above>): Above => ({ type: 'requirement', target: null, estimatedHours: null, releaseId: null, ...more });
const facts = (more: Partial<WarningFacts> = {}): WarningFacts => ({
  ...{ zoneToday: '2026-11-18', above: {}, estimatedBelow: [], overloads: {} },
  ...more,
});
const codes = (fields: Record<string, unknown>, known: Partial<WarningFacts> = {}, before: Record<string, unknown> | null = null) =>
  planWarnings({ stored: before && stored(before), row: row(fields) }, facts(known)).map(({ code }) => code);

test("warns about a due date after the target of its release or requirement, or of that requirement's release", (t) => {
  const known = { above: { 1: above({ target: '2026-12-10', releaseId: 2 }), 2: above({ target: '2026-12-05' }) } };
  t.deepEqual(codes({ dueDate: '2026-12-11', requirementId: 1 }, known), ['due_after_target']);
  t.deepEqual(codes({ dueDate: '2026-12-06', requirementId: 1 }, known), ['due_after_target']);
  t.deepEqual(codes({ dueDate: '2026-12-05', requirementId: 1 }, known), []);
  t.deepEqual(codes({ targetDate: '2026-12-06', releaseId: 2 }, known), ['due_after_target']);
  t.deepEqual(codes({ dueDate: '2026-12-11', requirementId: 9 }, known), [], 'hidden items cause no warning');
});

test('warns about a start before today', (t) => {
  t.deepEqual(codes({ startDate: '2026-11-17' }), ['start_in_past']);
  t.deepEqual(codes({ startDate: '2026-11-18' }), []);
});

test('warns about an assignee who is overloaded in the week of the due date', (t) => {
  const known = { overloads: { 5: ['2026-11-23'] } };
  t.deepEqual(codes({ assigneeId: 5, dueDate: '2026-11-29' }, known), ['over_capacity']);
  t.deepEqual(codes({ assigneeId: 5, dueDate: '2026-11-30' }, known), []);
  t.deepEqual(codes({ assigneeId: 6, dueDate: '2026-11-25' }, known), []);
  t.deepEqual(codes({ assigneeId: 5 }, known), []);
});

test("warns about an estimate that contradicts the parent's or the children's", (t) => {
  const known = { above: { 1: above({ estimatedHours: 8 }), 2: above({ releaseId: 1 }), 3: above({ type: 'task', estimatedHours: 8 }) } };
  t.deepEqual(codes({ estimatedHours: 2, requirementId: 1 }, known), ['estimate_counted_twice']);
  t.deepEqual(codes({ estimatedHours: 0, requirementId: 1 }, known), []);
  t.deepEqual(codes({ requirementId: 1 }, known), []);
  t.deepEqual(codes({ estimatedHours: 2, parentItemId: 3 }, known), [], 'estimates of sub-tasks add to that of their task');
  t.deepEqual(codes({ estimatedHours: 2, requirementId: 2 }, known), [], 'not of items further up');
  t.deepEqual(codes({ estimatedHours: 2 }, { estimatedBelow: [7] }, {}), ['estimate_counted_twice']);
  t.deepEqual(codes({ estimatedHours: 2 }, { estimatedBelow: [8] }, {}), []);
});

test('does not warn about unchanged fields or closed work', (t) => {
  const known = { above: { 1: above({ target: '2026-11-01', estimatedHours: 8 }) }, overloads: { 5: ['2026-11-23'] } };
  const all = { startDate: '2026-11-02', dueDate: '2026-11-25', assigneeId: 5, estimatedHours: 2, parentItemId: 1 };
  t.deepEqual(codes(all, known), ['due_after_target', 'start_in_past', 'over_capacity', 'estimate_counted_twice']);
  t.deepEqual(codes(all, known, all), []);
  t.deepEqual(codes(all, known, { ...all, startDate: '2026-11-01' }), ['start_in_past']);
  const done = planWarnings({ stored: null, row: row(all, { status: 'done' }) }, facts(known));
  t.deepEqual(
    done.map(({ code }) => code),
    ['estimate_counted_twice'],
  );
});

test("a batch counts the other items' new values", (t) => {
  const known = facts({ above: { 1: above({ target: '2026-12-10' }) } });
  const written = { stored: stored({}), row: row({ dueDate: '2026-12-01', releaseId: 1 }) };
  t.deepEqual(planWarnings(written, known), []);
  const [warning] = planWarnings(written, known, new Map([[1, row({ targetDate: '2026-11-30' }, { type: 'release' })]]));
  t.is(warning?.code, 'due_after_target');
});

test('changing approved content warns only an agent that sees the status approved', (t) => {
  const approved = { ...stored({}), type: 'requirement', status: 'approved' } as Work;
  const changed = { title: ['T', 'U'], dueDate: [null, '2026-12-01'], estimatedHours: [null, 2] } as const;
  const warnings = (caller: Caller, before: Work, of: object = changed) =>
    warningsOf({ caller, warns: null }, { stored: before, row: row({}), changed: of as ChangedFields });
  const agent: Caller = { kind: 'agent', hash: Buffer.of() };
  t.deepEqual(warnings(agent, approved), [
    {
      code: 'changed_since_approval',
      message: 'Item 7 is approved, and you changed its title, dueDate. Ask a person to approve it again.',
    },
  ]);
  t.deepEqual(warnings(agent, approved, { estimatedHours: [null, 2], status: ['approved', 'in_progress'] }), []);
  t.deepEqual(warnings(agent, stored({})), []);
  for (const kind of ['key', 'session'] as const) t.deepEqual(warnings({ kind, hash: Buffer.of() }, approved), []);
});
