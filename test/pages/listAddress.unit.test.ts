/** Addresses of lists (behaviour §19.4). */
import { ListWork } from '../../src/overviews/workList/input.ts';
import { listAddress, listInput, pairsOf } from '../../src/pages/workspace/listAddress.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const given = [
  ...['status=done', 'status=key:in test', 'status=lost', 'status=key:', 'status=done'],
  ...['assignee=me', 'assignee=7', 'assignee=07', 'assignee=1e3', 'priority=-', 'priority=5', 'priority=', 'priority=a%00b'],
  ...[
    'due=nextWeek',
    'due=sometime',
    'due=2026-02-30..',
    'from=2026-03-01',
    'within=3',
    'within=me',
    'noLabel=4',
    'mine=1',
    'archived=yes',
  ],
].join('&');

test('a list reads the values that a filter accepts, once each, and drops the others', (t) => {
  const address = listAddress(new URLSearchParams(given));
  const input = ListWork.parse(listInput(1, address, '2026-03-02'));
  t.like(input, {
    status: ['done', 'key:in test'],
    assignee: ['me', 7],
    priority: ['', '5'],
    due: ['nextWeek', '2026-03-01..'],
    ...{ within: [3], label: [], noLabel: [4], mine: true, archived: false },
  });
});

test('an address keeps its filters when it is written and read again', (t) => {
  const address = listAddress(new URLSearchParams(given));
  const again = new URLSearchParams(pairsOf(address));
  t.deepEqual(listAddress(again), address);
  t.deepEqual(again.getAll('due'), ['nextWeek', '2026-03-01..']);
});
