/** What pages say about a forecast's absences and dependencies. */
import { explainedSentences } from '../../src/pages/capacity/words.ts';
import type { Clock } from '../../src/pages/frame/clock.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const clock = { zone: 'UTC', locale: 'en-GB', today: '2026-03-02' } as Clock;
const explained = {
  progress: { scopeHours: 8, weightedProgress: 0 },
  rest: null,
  missing: null,
  bottleneck: { name: 'Ana', freeFrom: '2026-03-10', startsOn: null },
  weeks: null,
};

test('the sentences name the chain, then the person, then what takes their time', (t) => {
  const away = [
    { name: 'Ana', first: '2026-03-09', last: '2026-03-10', half: false, holiday: null },
    { name: 'Ana', first: '2026-03-12', last: '2026-03-12', half: true, holiday: null },
    { name: 'Bo', first: '2026-04-03', last: '2026-04-03', half: false, holiday: 'Good Friday' },
  ];
  const waits = { taskId: 35, chain: [34, 33], until: '2026-03-09' };
  t.deepEqual(explainedSentences({ explained: { ...explained, away, waits }, named: [33, 34, 35] }, clock), [
    'Task 35 waits for 34, which waits for 33, until Mon 9 Mar.',
    'Ana has no free time until Tue 10 Mar.',
    'Ana is away from 9 Mar to 10 Mar.',
    'Ana works half days on 12 Mar.',
    'Bo has a public holiday on 3 Apr: Good Friday.',
  ]);
});

test('items that the reader does not see are not named', (t) => {
  const waits = { taskId: 35, chain: [34, 33], until: '2026-03-09' };
  const said = (named: number[]) => explainedSentences({ explained: { ...explained, waits }, named }, clock)[0];
  t.is(said([35, 33]), 'Task 35 waits for 33, until Mon 9 Mar.');
  for (const named of [[35], [34, 33], []]) t.is(said(named), 'Ana has no free time until Tue 10 Mar.');
});

test('a project that needs data names the blockers without a date', (t) => {
  const missing = { noEstimate: 0, unassigned: 0, noHours: 0, left: [], waiting: { tasks: 2, blockers: [33] } };
  const said = (named: number[]) => explainedSentences({ explained: { ...explained, bottleneck: null, missing }, named }, clock);
  t.deepEqual(said([33]), ['2 tasks wait for 33, which has no date.']);
  t.deepEqual(said([]), ['2 tasks wait for work without a date.']);
});
