/** Rules of components: status shapes, urgency, colours, progress sums, places on the agenda. */
import fc from 'fast-check';
import { avatar, avatars, callBars, initialsOf, tintOf } from '../../src/pages/frame/components/avatar.ts';
import { tile } from '../../src/pages/frame/components/board.ts';
import { button } from '../../src/pages/frame/components/button.ts';
import { partsOf, percentOf, progressBar } from '../../src/pages/frame/components/marks.ts';
import { priorityIcon, urgencyOf } from '../../src/pages/frame/components/priority.ts';
import { row } from '../../src/pages/frame/components/row.ts';
import { shapeOf, statusIcon } from '../../src/pages/frame/components/status.ts';
import { type AgendaBlock, agenda, hoursOf, placed, rowsOf, weekStrip } from '../../src/pages/frame/components/stream.ts';
import { statuses } from '../../src/workspaces/statuses.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test("a workspace's own status has the shape of its canonical one and its own label", (t) => {
  const icon = statusIcon({ status: 'in_progress', label: 'With "testers"' }).text;
  t.true(icon.includes('class="st st-in_progress"'));
  t.true(icon.includes('aria-label="With &quot;testers&quot;"'));
  t.false(statusIcon({ status: 'done', label: 'Done', beside: true }).text.includes('aria-label'));
  t.is(new Set(statuses.map((status) => shapeOf({ status }))).size, statuses.length);
});

test('an approval shows its state until the item is closed', (t) => {
  t.is(shapeOf({ status: 'in_progress', approval: 'rejected' }), 'rejected');
  t.is(shapeOf({ status: 'planned', approval: 'pending' }), 'pending');
  t.is(shapeOf({ status: 'done', approval: 'rejected' }), 'done');
  t.is(shapeOf({ status: 'cancelled', approval: 'pending' }), 'cancelled');
  t.is(shapeOf({ status: 'in_review', label: 'In review' }), 'in_review');
  t.is(shapeOf({ status: 'in_review', label: 'With testers' }), 'testing');
  t.is(shapeOf({ status: 'in_progress', label: 'With testers' }), 'in_progress');
});

test("a priority's urgency follows from its name, or else from its rank", (t) => {
  t.is(urgencyOf({ key: 'urgent', rank: 1 }), 'urgent');
  t.deepEqual(
    [-5, 1, 2, 3, 4, 99].map((rank) => urgencyOf({ key: 'p', rank })),
    ['low', 'low', 'normal', 'high', 'urgent', 'urgent'],
  );
  t.is(urgencyOf({ key: 'toString', rank: 2 }), 'normal');
  t.true(priorityIcon({ key: 'high', label: 'High', rank: 3 }).text.includes('aria-label="High priority"'));
});

test('a title in a row or on a card has its own text direction and is cut accordingly', (t) => {
  const title = 'תיקון הטופס';
  const shown = [row({ status: '', title, href: '/7' }), tile({ item: 7, number: 7, title, href: '/7' })];
  for (const { text } of shown) t.regex(text, /dir="auto">(<a [^>]*>)?תיקון/);
});

test('initials are of the first and the last name, in any script', (t) => {
  const names = ['Ana Lindqvist', 'Bo', 'ana maria de souza', '  ', '李 小龙', "Anas' (bot)", '🚢 Ferry'];
  t.deepEqual(names.map(initialsOf), ['AL', 'B', 'AS', '?', '李小', 'AB', 'F']);
});

test('a person has the same of six colours everywhere; agents and services have a neutral one and another shape', (t) => {
  fc.assert(fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => tintOf(id) >= 1 && tintOf(id) <= 6));
  t.is(new Set([1, 2, 3, 4, 5, 6].map(tintOf)).size, 6);
  t.true(avatar({ id: 7, name: 'Robot', kind: 'agent' }).text.includes('av bot'));
  t.true(avatar(null).text.includes('aria-label="Unassigned"'));
  const many = Array.from({ length: 6 }, (_, i) => ({ id: i, name: `P${i}`, kind: 'person' as const }));
  t.true(avatars(many).text.includes('aria-label="and P3, P4, P5"'));
  t.false(avatars(many.slice(0, 4)).text.includes('more'));
});

test('a small percentage never shows 0, and an unfinished one never shows 100', (t) => {
  t.deepEqual([Number.NaN, -1, 0, 0.001, 0.5, 0.999, 1, 7].map(percentOf), [0, 0, 0, 1, 50, 99, 100, 100]);
});

test('the parts of a sum never exceed it', (t) => {
  const hours = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(hours, hours, hours, (done, inProgress, total) => {
      const parts = partsOf({ done, inProgress, total });
      return parts.done >= 0 && parts.inProgress >= 0 && parts.done + parts.inProgress <= 100;
    }),
  );
  t.deepEqual(partsOf({ done: 3, inProgress: 0, total: 0 }), { done: 0, inProgress: 0 });
  t.true(progressBar({ done: 17, inProgress: 20, total: 65 }).text.includes('aria-label="26 % done, 31 % more in progress"'));
});

test('a button shows its key, and keys.js gets only single letters', (t) => {
  t.true(button('New', { key: 'N' }).text.includes('data-key="n" aria-keyshortcuts="N"'));
  t.false(button('Log', { key: 'Enter' }).text.includes('data-key'));
  t.true(button('<b>', { name: 'a"b', value: 0 }).text.includes('name="a&quot;b" value="0">&lt;b&gt;'));
});

test('a blocked row shows the reason instead of its parent', (t) => {
  const text = row({
    status: '',
    title: 'Pay',
    href: '/x',
    context: 'Change a booking',
    why: 'No refunds',
    cells: [null, { kind: 'due', content: 'x' }],
  }).text;
  t.true(text.includes('<span class="why">No refunds</span>'));
  t.false(text.includes('Change a booking'));
  t.true(text.includes('<span class="c c-due">x</span>'));
});

const minute = fc.integer({ min: 0, max: 1440 });
const block: fc.Arbitrary<AgendaBlock> = fc
  .tuple(minute, minute, fc.constantFrom('plan' as const, 'real' as const))
  .map(([a, b, lane]) => ({ lane, from: Math.min(a, b), to: Math.max(a, b), title: 'x' }));

test('every block is on the axis, at least a quarter of an hour long', (t) => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), minute, (blocks, now) => {
      const shown = hoursOf({ from: 8, to: 18, blocks, now: { minute: now, words: '' } });
      const rows = (shown.last - shown.first) * 4;
      return blocks.every((one) => {
        const { start, length } = rowsOf(one, shown);
        return start >= 1 && length >= 1 && start + length - 1 <= rows && shown.first >= 0 && shown.last <= 24;
      });
    }),
  );
  t.deepEqual(rowsOf({ from: 645, to: 702 }, { first: 8, last: 18 }), { start: 12, length: 4 });
});

test('overlapping blocks are side by side in the first free lane, and touching ones have the full width', (t) => {
  const of = (...spans: [number, number][]) =>
    placed(
      spans.map(([from, to]) => ({ lane: 'plan', from, to, title: '' })),
      { first: 8, last: 18 },
    );
  const places = (...spans: [number, number][]) => of(...spans).map(({ at, of: all }) => `${at}/${all}`);
  t.deepEqual(places([540, 600], [600, 660]), ['1/1', '1/1']);
  t.deepEqual(places([540, 600], [555, 615], [600, 660]), ['1/2', '2/2', '1/2']);
  t.deepEqual(places([540, 660], [540, 660], [540, 660], [720, 780]), ['1/3', '2/3', '3/3', '1/1']);
  fc.assert(fc.property(fc.array(block, { maxLength: 6 }), (blocks) => placed(blocks, { first: 0, last: 24 }).length === blocks.length));
});

test('the agenda leaves out the hour label next to the present', (t) => {
  const text = agenda({
    from: 8,
    to: 12,
    blocks: [],
    planned: '',
    recorded: '',
    now: { minute: 605, words: '10:05' },
    hourName: (hour) => `${hour}:00`,
  }).text;
  t.false(text.includes('10:00'));
  t.true(text.includes('9:00') && text.includes('11:00') && text.includes('10:05'));
});

test('a week describes each day in words, and no bar leaves its frame', (t) => {
  const minutes = fc.integer({ min: 0, max: 3000 });
  fc.assert(
    fc.property(minutes, minutes, minutes, (recordedMinutes, plannedMinutes, day) => {
      const { text } = weekStrip([{ name: 'Mon 23', href: '/', recordedMinutes, plannedMinutes }], day);
      return [...text.matchAll(/ (?:y|y1|y2|height)="(-?[\d.]+)"/g)].every(([, value]) => Number(value) >= 0 && Number(value) <= 64);
    }),
  );
  const { text } = weekStrip([{ name: 'Mon 23', href: '/', recordedMinutes: 172, plannedMinutes: 0 }], 384);
  t.true(text.includes('aria-label="2 h 52 min recorded, no time planned"'));
  t.true(text.includes('<span>2:52</span>'));
});

test('calls of a week are bars with their numbers in words', (t) => {
  const { text } = callBars([31, 0, 2, 0, 0, 0, 500]);
  t.true(text.includes('Calls in the last 7 days: 31, 0, 2, 0, 0, 0, 500'));
  t.is(text.match(/class="z"/g)?.length, 4);
});
