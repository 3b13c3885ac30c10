/** Answers omit unset values (behaviour §7.10). */
import { compactResult, resultAnswer, success } from '../../src/mcp/results.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const row = (id: number, workspaceId: number) => ({ id, workspaceId });

test('null, empty texts, false flags and a statusKey equal to the status are omitted at every depth; empty lists stay', (t) => {
  const item = { id: 1, title: 'T', description: '', ownerId: null, status: 'planned', fields: { dueDate: null, estimatedHours: 0 } };
  t.deepEqual(compactResult({ item, notes: [] }), {
    item: { id: 1, title: 'T', status: 'planned', fields: { estimatedHours: 0 } },
    notes: [],
  });
  t.deepEqual(compactResult({ block: { id: 1, autoStart: false, remindStart: true, note: '' } }), { block: { id: 1, remindStart: true } });
  t.deepEqual(compactResult({ a: { status: 'in_review', statusKey: 'testing' }, b: { status: 'done', statusKey: 'done' } }), {
    a: { status: 'in_review', statusKey: 'testing' },
    b: { status: 'done' },
  });
  t.deepEqual(compactResult({ note: { rewritten: false } }), { note: { rewritten: false } }, 'other flags stay');
});

test('a cursor is returned only if more follows', (t) => {
  t.deepEqual(compactResult({ items: [], hasMore: false, nextAfterId: 5 }), { items: [], hasMore: false });
  t.deepEqual(compactResult({ items: [], hasMore: true, nextAfterId: 5 }), { items: [], hasMore: true, nextAfterId: 5 });
});

test('a workspace that all items share is returned once; several are returned in their rows', (t) => {
  t.deepEqual(compactResult({ items: [row(1, 7), row(2, 7)] }), { workspaceId: 7, items: [{ id: 1 }, { id: 2 }] });
  t.deepEqual(compactResult({ items: [row(1, 7), row(2, 8)] }), { items: [row(1, 7), row(2, 8)] });
  t.deepEqual(compactResult({ item: row(1, 7), below: [row(2, 7)] }), { item: row(1, 7), below: [{ id: 2 }] });
  t.deepEqual(compactResult({ items: [{ id: 1 }] }), { items: [{ id: 1 }] });
});

test('time and plans keep the workspace in each row, because all workspaces were read', (t) => {
  const time = { entries: [row(1, 7)], timer: row(2, 7), planBlocks: [row(3, 7)] };
  t.deepEqual(compactResult(time), time);
});

test('structured content and text are the same, also on a replay', (t) => {
  for (const replayed of [false, true]) {
    const { content, structuredContent, _meta } = JSON.parse(String(resultAnswer(1, success({ id: 1, note: '' }, replayed)))).result;
    t.deepEqual(structuredContent, { id: 1 });
    t.is(content[0].text, JSON.stringify(structuredContent));
    t.deepEqual(_meta, replayed ? { replayed: true } : undefined);
  }
});
