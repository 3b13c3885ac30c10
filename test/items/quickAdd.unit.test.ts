/** Quick add in one line: the meaning of each word, in any order, and the remaining title (behaviour §19.9). */
import fc from 'fast-check';
import { linkTo, numbersIn, parseQuickAdd } from '../../src/items/quickAdd.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const around = {
  today: '2026-11-25',
  me: 1,
  people: [
    { id: 1, name: 'Ana Lindqvist' },
    { id: 2, name: 'Bo Madsen' },
    { id: 3, name: 'Cleo Martins' },
    { id: 4, name: 'Clemens Bo' },
    { id: 5, name: 'Zoë van Dijk' },
  ],
  priorities: [
    { key: 'high', label: 'High' },
    { key: 'p0', label: 'Right Now' },
  ],
  labels: [
    { id: 1, name: 'Bug' },
    { id: 2, name: 'Bug report' },
    { id: 3, name: 'two words' },
    { id: 4, name: 'twowords' },
  ],
};
const parse = (line: string) => {
  const { words: _, ...meant } = parseQuickAdd(line, around);
  return meant;
};

test('each parsed value lists its words as typed', (t) => {
  t.deepEqual(parseQuickAdd('Paint 27 Nov @CLEO "4h" #24', around).words, { day: '27 Nov', personId: '@CLEO', below: '#24' });
});

test('a line sets type, parent, estimate, due date, assignee and priority', (t) => {
  t.deepEqual(parse('Paint the deck #24 4h friday @cleo !high'), {
    ...{
      title: 'Paint the deck',
      below: 24,
      estimatedHours: 4,
      day: '2026-11-27',
      personId: 3,
      priorityKey: 'high',
      faults: [],
      unmatched: [],
    },
  });
});

test('days can be written in many ways', (t) => {
  const days: Record<string, string> = {
    today: '2026-11-25',
    tomorrow: '2026-11-26',
    Wednesday: '2026-11-25',
    'next wednesday': '2026-12-02',
    '27 nov': '2026-11-27',
    'November 30': '2026-11-30',
    '1 jan 2028': '2028-01-01',
    '2026-12-24': '2026-12-24',
    '24.12.': '2026-12-24',
    'in 3 days': '2026-11-28',
  };
  for (const [text, day] of Object.entries(days)) {
    t.deepEqual(parse(`Paint ${text} blue`), { title: 'Paint blue', day, faults: [], unmatched: [] }, text);
    t.is(parse(text).day, day, text);
  }
});

test('other words belong to the title', (t) => {
  for (const line of [
    'Do it !now',
    'Issue #x',
    '4hours',
    '0h',
    '2026-02-30',
    'Sun deck',
    '45',
    'h',
    '@',
    '!',
    '#',
    'Price in 3 parts',
    'a "quote',
  ])
    t.deepEqual(parse(line), { title: line, faults: [], unmatched: [] }, line);
});

test('quoted text belongs to the title', (t) => {
  t.deepEqual(parse('"Friday" menu "@cleo #24 4h" "@nobody" tomorrow'), {
    ...{ title: 'Friday menu @cleo #24 4h @nobody', day: '2026-11-26', faults: [], unmatched: [] },
  });
  t.deepEqual(numbersIn('"#7" #24 #25'), [24, 25]);
  t.deepEqual(numbersIn('"#7"'), []);
});

test('an @name without a match is reported, whatever the rest of the line', (t) => {
  t.deepEqual(parse('Paint @nobody').unmatched, ['@nobody']);
  t.deepEqual(parse('@bob Paint @me @nobody "@quoted"').unmatched, ['@bob', '@nobody']);
  t.deepEqual(numbersIn('Issue #0'), [0], 'a number that no item has is looked up, and not found');
});

test('of two words with the same meaning the first counts, and the second stays in the title', (t) => {
  t.deepEqual(parse('From friday to monday #1 #2 @me @bo'), {
    ...{ title: 'From to monday #2 @bo', day: '2026-11-27', below: 1, personId: 1, faults: [], unmatched: [] },
  });
});

test('people match by the beginning of a name if it is unique', (t) => {
  t.is(parse('x @ana').personId, 1);
  t.is(parse('x @MADS').personId, 2);
  t.is(parse('x @cleomartins').personId, 3);
  t.is(parse('x @zoë').personId, 5);
  const two = parse('x @cle');
  t.deepEqual([two.personId, two.title], [undefined, 'x @cle']);
  t.regex(two.faults[0]!, /Cleo Martins or Clemens Bo/);
  t.regex(parse('x @bo').faults[0]!, /Bo Madsen or Clemens Bo/);
});

test('estimates are hours or minutes, priorities keys or labels', (t) => {
  t.deepEqual(
    ['1.5h', '1,5h', '90m', '30min', '4H'].map((text) => parse(`x ${text}`).estimatedHours),
    [1.5, 1.5, 1.5, 0.5, 4],
  );
  t.is(parse('x !HIGH').priorityKey, 'high');
  t.is(parse('x !rightnow').priorityKey, 'p0');
});

test('the words of a line may be in any order around the title', (t) => {
  const tokens = ['#24', '4h', 'friday', '@cleo', '!high'];
  const word = fc
    .stringMatching(/^[a-z]{4,9}$/)
    .filter((text) => !/day$|^(tomorrow|january|february|march|april|june|july|august|september|october|november|december)$/.test(text));
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 5 }),
      fc.shuffledSubarray(tokens),
      fc.array(fc.nat(10), { minLength: 5, maxLength: 5 }),
      (words, chosen, places) => {
        const line = [...words];
        for (const [n, token] of chosen.entries()) line.splice(places[n]! % (line.length + 1), 0, token);
        const found = parse(line.join('  '));
        t.is(found.title, words.join(' '));
        t.deepEqual(
          [found.below, found.estimatedHours, found.day, found.personId, found.priorityKey],
          [24, 4, '2026-11-27', 3, 'high'].map((value, n) => (chosen.includes(tokens[n]!) ? value : undefined)),
        );
      },
    ),
  );
});

test('no line throws, and a quoted line is its own title', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (line) => {
      parse(line);
      const quoted = line.replaceAll('"', '');
      t.is(parse(`"${quoted}"`).title, quoted.trim());
    }),
  );
});

test('each type uses its fitting link to the parent', (t) => {
  t.is(linkTo('task', 'milestone'), 'parentItemId');
  t.is(linkTo('task', 'requirement'), 'requirementId');
  t.is(linkTo('requirement', 'requirement'), 'parentId');
  t.is(linkTo('goal', 'goal'), 'parentId');
  t.is(linkTo('milestone', 'release'), 'releaseId');
  t.is(linkTo('release', 'task'), null);
});

test('labels follow ~, several count, each once, and a whole name takes precedence', (t) => {
  const labelsOf = (line: string) => parseQuickAdd(line, around).labels ?? [];
  t.deepEqual(labelsOf('Paint ~bug ~"bug report" ~BUG'), [
    { id: 1, word: '~bug' },
    { id: 2, word: '~"bug report"' },
  ]);
  t.is(parse('Paint ~bug ~"bug report" ~BUG').title, 'Paint');
  t.deepEqual(labelsOf('~"Two Words" ~twowords ~rep'), [
    { id: 3, word: '~"Two Words"' },
    { id: 4, word: '~twowords' },
    { id: 2, word: '~rep' },
  ]);
  t.like(parse('Paint ~tw'), { faults: ['~tw could be two words or twowords: write more of the name.'], unmatched: [] });
  t.like(parse('@me ~b').faults, ['~b could be Bug or Bug report: write more of the name.']);
  t.deepEqual(parse('Paint ~"no such" ~x'), { title: 'Paint ~"no such" ~x', faults: [], unmatched: ['~"no such"', '~x'] });
  const text = 'About ~20 in ~/bin, a~b ~ ~~ ~"" ~" "';
  t.deepEqual(parse(text), { title: text, faults: [], unmatched: [] });
});
