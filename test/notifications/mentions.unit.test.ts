import { mentionsIn } from '../../src/notifications/mentions.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const people = [
  { id: 1, name: 'Ana' },
  { id: 2, name: 'Ana Lima' },
  { id: 3, name: 'Cy' },
  { id: 4, name: 'cy' },
  { id: 5, name: 'Zoë' },
];
const ids = (text: string) => mentionsIn(text, people).ids;

test('mentions match whole names in any case, the longest one, and each person once', (t) => {
  t.deepEqual(ids('@Ana, look'), [1]);
  t.deepEqual(ids('@ana lima and @ANA LIMA'), [2]);
  t.deepEqual(ids('(@Zoë) @Ana'), [5, 1]);
  t.deepEqual(ids('ends with @Ana'), [1]);
});

test('addresses, other words and unknown names mention no one', (t) => {
  for (const text of ['mail@Ana', 'x@ana.example', '@Anabel', '@', '@@', 'Ana', '@Bob', '@ Ana']) t.deepEqual(ids(text), [], text);
});

test('a name of several people is ambiguous unless an id selects one', (t) => {
  const { ids: found, ambiguous } = mentionsIn('@Cy and @Ana', people);
  t.deepEqual(found, [1]);
  t.deepEqual(
    ambiguous.map(({ people }) => people.map(({ id }) => id)),
    [[3, 4]],
  );
  t.deepEqual(mentionsIn('@Cy#4 and @cy#3', people), { ids: [4, 3], ambiguous: [] });
  t.is(mentionsIn('@Cy#99', people).ambiguous.length, 1);
});

test('looking up mentions takes linear time', (t) => {
  t.deepEqual(ids('@'.repeat(12_000)), []);
});

test('only the first 1,000 @ signs of a text are looked up', (t) => {
  t.deepEqual(ids(`${'@Ana '.repeat(999)}mail@ana @Cy#3 @Zoë`), [1, 3]);
});
