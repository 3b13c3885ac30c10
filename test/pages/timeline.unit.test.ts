/** Computing a timeline: its range, its order, and its labels (behaviour §26). */
import { dependentMoves } from '../../src/items/dependentMoves.ts';
import type { TimelineRow } from '../../src/overviews/timeline/showTimeline.ts';
import { clockAt } from '../../src/pages/frame/clock.ts';
import { html } from '../../src/pages/frame/html.ts';
import { spanChoices, spanOf, spanValue, spanWords } from '../../src/pages/items/change/spans.ts';
import { chartOf, groundOf, stretchOf } from '../../src/pages/workspace/timelineChart.ts';
import { timelineTree } from '../../src/pages/workspace/timelineTree.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const clock = clockAt(Date.parse('2026-11-25T10:00:00Z'), 'UTC');
const at = (scale: 'weeks' | 'months' | 'quarters', start = '') => stretchOf({ scale, start }, clock);

test('a range begins with a whole unit, one before today; earlier and later dates share half of it', (t) => {
  t.like(at('weeks'), { from: '2026-11-16', to: '2027-02-07', days: 84, earlier: '2026-10-05', later: '2026-12-28', usual: true });
  t.like(at('months'), { from: '2026-10-01', to: '2027-03-31', days: 182, earlier: '2026-07-01', later: '2027-01-01' });
  t.like(at('quarters'), { from: '2026-07-01', to: '2027-12-31', earlier: '2025-10-01', later: '2027-04-01' });
  t.like(at('weeks', '2027-01-01'), { from: '2026-12-28', usual: false });
  t.like(at('months', '2027-01-31'), { from: '2027-01-01' });
  t.like(at('quarters', '2028-02-29'), { from: '2028-01-01', to: '2029-06-30' });
  t.deepEqual(
    at('months').ticks.map(({ label }) => label),
    ['Oct', 'Nov', 'Dec', 'Jan 2027', 'Feb 2027', 'Mar 2027'],
  );
  t.deepEqual(
    at('quarters')
      .ticks.map(({ label }) => label)
      .slice(0, 3),
    ['Q3 2026', 'Q4 2026', 'Q1 2027'],
  );
  t.true(
    at('weeks').ticks.some(({ label }) => label === '4 Jan ’27'),
    'a week of another year says so once',
  );
});

const row = (id: number, more: Partial<TimelineRow> = {}): TimelineRow => ({
  ...{ id, version: 1, type: 'requirement', title: `R${id}`, status: 'planned', statusKey: 'planned', startDate: null, dueDate: null },
  ...{ targetDate: null, assignee: null, up: null, opens: false, matched: true, forecast: null, away: null, region: null, blockedBy: null },
  ...more,
});
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

test('each line is below its parent, earliest end first; items without dates, also below them, are separate', (t) => {
  const rows = [
    row(1, { type: 'goal', matched: false, targetDate: '2030-01-01' }),
    row(2, { type: 'release', up: 1, targetDate: '2026-12-10' }),
    row(3, { up: 2, targetDate: '2026-12-08' }),
    row(4, { up: 2, startDate: '2026-12-01' }),
    row(5, { targetDate: '2026-12-20' }),
    row(6),
    row(7, { up: 6 }),
    row(8, { up: 99, targetDate: '2026-11-01' }),
    row(9, { type: 'goal', matched: false }),
    row(10, { up: 11, dueDate: '2027-05-05' }),
    row(11),
  ];
  const { lines, undated } = timelineTree(rows, []);
  t.deepEqual(
    lines.map(({ row: { id }, depth }) => [id, depth]),
    [
      [8, 0],
      [1, 0],
      [2, 1],
      [4, 2],
      [3, 2],
      [5, 0],
      [11, 0],
      [10, 1],
    ],
  );
  t.deepEqual(ids(undated), [6, 7]);
  t.deepEqual(
    lines.map(({ above }) => above?.place),
    [undefined, undefined, 1, 2, 2, undefined, undefined, 6],
  );
});

test('tasks of an opened row are below it, after all others, with or without dates', (t) => {
  const rows = [
    row(1),
    row(2, { type: 'task', up: 1 }),
    row(3, { type: 'task', up: 1, dueDate: '2026-12-01' }),
    row(4, { up: 1, targetDate: '2027-01-01' }),
  ];
  t.deepEqual(
    timelineTree(rows, [1]).lines.map(({ row: { id } }) => id),
    [1, 4, 3, 2],
  );
});

const drawn = (of: Partial<TimelineRow>, scale: 'weeks' | 'months' = 'weeks', may = true) =>
  chartOf(row(1, of), at(scale), clock, may ? html` href="/"` : null).text;

test('a bar goes from the first day to the end of the last one; one date is a mark, and a bar outside names its dates', (t) => {
  t.regex(drawn({ startDate: '2026-11-23', targetDate: '2026-11-29' }), /class="barr" x="8.33%" y="17" width="8.34%"/);
  t.regex(drawn({ startDate: '2020-01-01', targetDate: '2026-11-29' }), /class="barr" x="0%" y="17" width="16.67%"/, 'cut at the edge');
  t.regex(drawn({ targetDate: '2026-12-01' }), /class="dia" d="M0-6/);
  t.regex(drawn({ startDate: '2026-12-01' }), /class="dia" d="M-4-7/);
  t.regex(drawn({ targetDate: '2026-11-01' }), /← 1 Nov/);
  t.regex(drawn({ startDate: '2027-03-01', targetDate: '9999-12-31' }), /1 Mar 2027 →/);
  t.notRegex(drawn({}), /<a/);
  t.regex(drawn({ type: 'task', dueDate: '2026-12-01', targetDate: null, startDate: '2026-11-30' }), /barr soft/);
  t.regex(drawn({ startDate: '2026-11-17', targetDate: '2026-11-20' }), /barr red/, 'late');
  t.regex(drawn({ startDate: '2026-11-17', targetDate: '2026-11-20', status: 'done' }), /barr shut/);
  t.notRegex(
    drawn({ startDate: '2026-11-17', targetDate: '2026-11-20' }, 'weeks', false),
    /<a|class="hit"/,
    'nothing to hold for a viewer',
  );
});

test('a forecast follows the bar from today on, with a quarter more work beyond it', (t) => {
  const forecast = { forecastDate: '2026-12-06', bufferedDate: '2026-12-13', outlook: 'at_risk' as const, includesHidden: false };
  const shown = drawn({ targetDate: '2026-12-01', forecast });
  t.regex(shown, /^<svg[^>]*><rect class="fore amber" x="10.71%" [^>]*width="14.29%"/);
  t.regex(shown, /class="whisk" x1="25%" x2="33.33%"/);
  t.notRegex(drawn({ forecast: { ...forecast, forecastDate: '2026-11-20' } }), /fore/, 'nothing of what has been ready');
  t.notRegex(drawn({ forecast: { ...forecast, forecastDate: null } }), /fore/);
});

test('an arrow is red exactly where the offer to move dependent items applies', (t) => {
  // Friday 2026-12-04 to Monday 2026-12-07.
  const isRed = (
    startDate: string,
    lagDays = 0,
    status: TimelineRow['status'] = 'planned',
    blockerStatus: TimelineRow['status'] = 'planned',
  ) => {
    const rows = [
      row(1, { startDate: '2026-12-01', targetDate: '2026-12-04', status: blockerStatus }),
      row(2, { startDate, targetDate: '2026-12-18', status, blockedBy: [{ id: 1, lagDays }] }),
    ];
    const ground = groundOf(timelineTree(rows, []).lines, { stretch: at('weeks'), holidays: new Map() }).text;
    t.regex(ground, /class="arrow/);
    const red = ground.includes('class="arrow late"');
    const items = rows.map(({ id, startDate: start, targetDate: end, blockedBy }) => ({
      ...{ id, start, end, follows: true, mayMove: true, latestStart: null, blockedBy: blockedBy ?? [] },
    }));
    if (status === 'planned' && blockerStatus === 'planned') t.is(dependentMoves(items).moves.length > 0, red);
    return red;
  };
  t.true(isRed('2026-12-04'), 'on the last day of its blocker');
  t.true(isRed('2026-12-05'), 'a weekend does not count');
  t.false(isRed('2026-12-07'));
  t.true(isRed('2026-12-08', 2), 'within the lag');
  t.false(isRed('2026-12-09', 2));
  t.false(isRed('2026-12-02', 0, 'done'));
  t.false(isRed('2026-12-02', 0, 'planned', 'done'));
});

test("a line connects each end to its parent's end, and is marked if it is too late", (t) => {
  const { lines } = timelineTree(
    [
      row(1, { targetDate: '2026-12-10' }),
      row(2, { up: 1, targetDate: '2026-12-01' }),
      row(3, { up: 1, targetDate: '2026-12-20' }),
      row(4, { up: 3 }),
    ],
    [],
  );
  const ground = groundOf(lines, { stretch: at('weeks'), holidays: new Map() }).text;
  t.is(ground.match(/class="dep"/g)?.length, 2);
  t.is(ground.match(/class="dep late"/g)?.length, 1);
  t.regex(ground, /class="dep" x1="29.17%" x2="29.17%" y1="22" y2="110"/, 'one upright line for both');
});

test('two dates are one form value, and can be moved keeping their distance', (t) => {
  t.is(spanValue(null, null), '');
  t.is(spanValue('2026-11-25', null), '2026-11-25..');
  t.deepEqual(spanOf('..2026-12-01'), { start: '', end: '2026-12-01' });
  t.is(spanWords('2026-11-25..2026-12-07', clock), 'Today to Mon 7 Dec');
  t.is(spanWords('2026-11-27..', clock), 'from Friday');
  t.is(spanWords('..2026-11-27', clock), 'until Friday');
  t.is(spanWords('2026-11-27..2026-11-27', clock), 'Friday');
  const moves = spanChoices('2026-11-20..2026-11-30', clock);
  t.deepEqual(
    moves.slice(0, 2).map(({ label, value }) => [label, value]),
    [
      ['Start today', '2026-11-25..2026-12-05'],
      ['A week later', '2026-11-27..2026-12-07'],
    ],
  );
  t.like(spanChoices('', clock)[1], { label: 'Next week', value: '2026-11-30..2026-12-04' });
  t.deepEqual(spanChoices('..9999-12-31', clock), [], 'no move leads out of the calendar');
});
