/** Functions of an item's page: links of new items, places in a list and among scores, and the bar of a forecast. */
import { itemTypes } from '../../../src/access/rights.ts';
import { linkTargets } from '../../../src/items/fields.ts';
import { clockAt } from '../../../src/pages/frame/clock.ts';
import type { PageRequest } from '../../../src/pages/frame/page.ts';
import { childLinks } from '../../../src/pages/items/below.ts';
import { firstOf, namesOf, restOf, withUnit } from '../../../src/pages/items/fields.ts';
import { forecastPart } from '../../../src/pages/items/forecast.ts';
import { withLinkIds } from '../../../src/pages/items/linkNames.ts';
import { type ItemPage, inList, inListOf, placeOf } from '../../../src/pages/items/pageOf.ts';
import { ordinal } from '../../../src/pages/items/show.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

test('an item added below another one is linked by a valid field', (t) => {
  for (const up of itemTypes)
    for (const [type, link] of childLinks[up]) t.true(linkTargets(link, type).includes(up), `${type} ${link} ${up}`);
});

test('places are described in words, then in figures', (t) => {
  t.deepEqual([1, 2, 10, 11, 12, 13, 21, 22, 23, 111, 112, 1003].map(ordinal), [
    ...['first', 'second', 'tenth', '11th', '12th', '13th', '21st', '22nd', '23rd', '111th', '112th', '1003rd'],
  ]);
});

const request = (query: string) => ({ query: new URLSearchParams(query), form: { text: () => '' } }) as unknown as PageRequest;

test("the address contains the list and the item's place in it; invalid ones are omitted", (t) => {
  const asked = inListOf('type=task&status=open', { n: 2, of: '1,000+' });
  t.is(inList(request(asked)), asked);
  t.deepEqual(placeOf(request(asked)), { n: 2, of: '1,000+' });
  for (const odd of ['?n=2&of=5', `?in=${'x'.repeat(2_001)}`, '']) t.is(inList(request(odd)), '');
  for (const odd of ['?in=a&n=0&of=5', '?in=a&n=2&of=<b>', '?in=a&n=x&of=5', '?in=a&n=2']) t.is(inList(request(odd)), '?in=a', odd);
});

const stands = { id: 1, type: 'release', title: 'R', today: '2026-11-22', outlook: 'within_capacity' } as const;
function told(project: object, sums: object = { hours: 0 }): string {
  const page = {
    opened: { sums, project: { ...stands, ...project }, item: { id: 1 }, workspace: { at: '' } },
    clock: clockAt(Date.parse('2026-11-22T10:00Z'), 'UTC'),
  };
  return String((forecastPart(page as unknown as ItemPage) as { text: string }).text);
}
const words = (html: string) =>
  html
    .replace(/<svg.*<\/svg>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;])/g, '$1')
    .trim();

test('a forecast is described in words, with its distance from the target', (t) => {
  const dates = { forecastDate: '2026-12-07', bufferedDate: '2026-12-10', targetDate: '2026-12-17' };
  t.is(
    words(told(dates)),
    'Forecast Will be ready Mon 7 Dec. That is 10 days early. If work takes 25 % longer, the date is Thu 10 Dec. Within capacity',
  );
  t.regex(words(told({ ...dates, targetDate: '2026-12-06', outlook: 'overcommitted' })), /That is 1 day late\..*Overcommitted/);
  t.regex(words(told({ ...dates, bufferedDate: dates.forecastDate, targetDate: null })), /Mon 7 Dec\. There is no target date\. /);
  t.regex(
    words(told({ forecastDate: '2026-11-10', bufferedDate: '2026-11-10', targetDate: '2026-11-10' })),
    /Ready since Tue 10 Nov\. That is the target date\./,
  );
  const unknown = told({ forecastDate: null, bufferedDate: null, targetDate: null, outlook: 'needs_data' });
  t.regex(words(unknown), /No forecast date yet\. Needs data/);
  t.notRegex(unknown, /axis-svg/);
});

const nothing = { progress: { scopeHours: 40, weightedProgress: 60 }, rest: null, missing: null, bottleneck: null, weeks: null };
const missing = { noEstimate: 0, unassigned: 0, noHours: 0, left: [] };

test('a release with missing data shows the date of the rest, and what it leaves out', (t) => {
  const needsData = { forecastDate: null, bufferedDate: null, targetDate: '2026-12-17', outlook: 'needs_data' };
  const rest = { forecastDate: '2026-12-07', bufferedDate: '2026-12-07' };
  const shown = (more: object, from: object = rest) => {
    const html = told({ ...needsData, explained: { ...nothing, rest: from, missing: { ...missing, ...more } } });
    t.is(/axis-svg/.test(html), from !== null);
    return words(html).replace('Forecast ', '').replace(' Needs data', '');
  };
  t.is(shown({ noEstimate: 1 }), 'Will be ready Mon 7 Dec. That is 10 days early. 1 task has no estimate.');
  const bo = { name: 'Bo', tasks: 7, deactivated: true };
  t.is(
    shown({ left: [bo] }),
    'Will be ready Mon 7 Dec. That is 10 days early. The date does not include 7 tasks assigned to Bo, who is deactivated.',
  );
  const cy = { name: 'Cy', tasks: 1, deactivated: false };
  t.regex(
    shown({ left: [bo, cy], unassigned: 2 }),
    /not include 7 tasks assigned to Bo, who is deactivated\. The date does not include 1 task assigned to Cy, who left the workspace\. 2 tasks are unassigned\.$/,
  );
  t.regex(shown({ left: [bo, cy, cy, cy, cy] }), / The date does not include 2 tasks assigned to 2 other people who left\.$/);
  t.is(
    shown({ left: [bo], noHours: 1 }, null as never),
    'No forecast date yet. 7 tasks are assigned to Bo, who is deactivated. 1 task is assigned to someone with 0 hours a week.',
  );
});

test("a release names its bottleneck: the person without free time, or the last task's start", (t) => {
  const dates = { forecastDate: '2027-01-27', bufferedDate: null, targetDate: '2026-12-17', outlook: 'overcommitted' };
  const shown = (bottleneck: object) => words(told({ ...dates, explained: { ...nothing, bottleneck } }));
  t.regex(
    shown({ name: 'Ana', freeFrom: '2027-01-28', startsOn: null }),
    /41 days late\. Ana has no free time until 28 Jan 2027\. Overcommitted$/,
  );
  t.regex(shown({ name: 'Ana', freeFrom: null, startsOn: '2027-01-20' }), /The last task, assigned to Ana, starts on 20 Jan 2027\./);
});

test('a release explains what Capacity counts if its progress differs from the items below', (t) => {
  const dates = { forecastDate: '2026-12-07', bufferedDate: null, targetDate: null, explained: nothing };
  const shown = (sums: object) => words(told(dates, { done: 0, items: 9, activeHours: 0, ...sums }));
  t.regex(shown({ hours: 50, doneHours: 30 }), /For this release, 60 % of 40 h is done\./);
  t.notRegex(shown({ hours: 40, doneHours: 24 }), /Capacity/);
  t.notRegex(shown({ hours: 0, doneHours: 0 }), /Capacity/);
});

test("the bar is within its picture, its days are in order, and its labels don't overlap", (t) => {
  const days = ['2026-11-22', '2026-11-23', '2026-12-30', '2028-01-01', '2020-01-01'];
  for (const forecastDate of days)
    for (const targetDate of [...days, null]) {
      const html = told({ forecastDate, bufferedDate: forecastDate > '2026-12-01' ? '2028-03-01' : forecastDate, targetDate });
      const percents = [...html.matchAll(/(?:x|x1|x2|width)="(-?[\d.]+)%"/g)].map(([, n]) => Number(n));
      t.true(
        percents.every((n) => n >= 0 && n <= 100),
        html,
      );
      const labels = [...html.matchAll(/<text x="([\d.]+)%"/g)].map(([, n]) => Number(n)).sort((a, b) => a - b);
      t.true(
        labels.slice(1).every((x, n) => x - labels[n]! >= 20),
        html,
      );
      t.regex(html, /role="img" aria-label="Today Sunday 22 November 2026, ready /);
    }
});

test('a link is typed as a number, a title, or both; an unknown or ambiguous one keeps its text', (t) => {
  const targets = [
    { id: 5, type: 'release', title: 'Cars and changes' },
    { id: 6, type: 'release', title: '2026' },
    { id: 7, type: 'release', title: 'Twice' },
    { id: 8, type: 'release', title: 'twice' },
    { id: 9, type: 'goal', title: 'A goal' },
  ] as const;
  const read = (releaseId: string) => withLinkIds({ title: '#5', releaseId }, { targets, type: 'task' });
  for (const text of ['5', '#5', ' #5 Cars and changes', '#5 called otherwise now', 'cars and Changes'])
    t.is(read(text).releaseId, '5', text);
  t.is(read('2026').releaseId, '6', 'a title that is a number is meant before a number');
  for (const text of ['Twice', 'A goal', 'Cars', '', '5x']) t.is(read(text).releaseId, text);
  t.is(read('').title, '#5');
});

test('a value in the history and in conflicts has the format of other pages', (t) => {
  t.deepEqual([withUnit('estimatedHours', '8.2'), withUnit('progressPercent', '40'), withUnit('title', '3')], ['8 h 12 min', '40 %', '3']);
});

test("every field of a type's form is in the first part or in one group, once", (t) => {
  for (const type of itemTypes) {
    const shown = [...firstOf(type), ...restOf(type).flatMap(({ names }) => names)];
    const all = namesOf(type).filter((name) => !['title', 'description', 'acceptance'].includes(name));
    t.deepEqual(shown.toSorted(), all.toSorted(), type);
    t.false([...firstOf(type, ['goalId']), ...restOf(type, ['goalId']).flatMap(({ names }) => names)].includes('goalId'));
  }
});
