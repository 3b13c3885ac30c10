import fc from 'fast-check';
import { checkRewrite } from '../../../../src/comments/rewrite/check/check.ts';
import { splitNote } from '../../../../src/comments/rewrite/excerpts/passages.ts';
import { suite } from '../../../support/suite.ts';
import { runs } from '../../../support/thorough.ts';
import { bad, good } from './pairs.ts';

const test = suite(import.meta.url);

test('a concise rewrite that keeps every fact passes', (t) => {
  for (const [note, answer] of good) t.deepEqual(checkRewrite(note, answer), { ok: true }, answer);
});

test('a rewrite that loses, changes or adds a fact is refused for that reason', (t) => {
  for (const [note, answer, reason] of bad)
    t.deepEqual(checkRewrite(note, answer), { ok: false, reason } as object, `${note} -> ${answer}`);
});

test('an unchanged note always passes', (t) => {
  for (const [note] of [...good, ...bad]) t.true(checkRewrite(note, note).ok, note);
  const scrap = fc.constantFrom(
    ...[
      'not ',
      "don't ",
      'might ',
      'Next: ',
      'Next steps:\n',
      '- ',
      '1. ',
      '7) ',
      '# ',
      'Bob ',
      'API ',
      'may 3 ',
      '3 May 2026',
      '12:30 ',
      '~3h ',
    ],
    ...[
      'at least 2 ',
      'twenty-five ',
      '#12 ',
      'and ',
      ', ',
      '. ',
      ': ',
      '\n',
      '\n\n',
      '[x] ',
      '⟦0:1⟧',
      'a_b ',
      'most ',
      'blocked ',
      '日本3',
      '\u200b',
      '\ud800',
    ],
  );
  const note = fc.oneof(
    fc.array(scrap, { maxLength: 30 }).map((scraps) => scraps.join('')),
    fc.string({ unit: 'binary', maxLength: 80 }),
  );
  fc.assert(
    fc.property(note, (text) => {
      const split = splitNote(text);
      return checkRewrite(text, text).ok && checkRewrite(split.sent, split.sent, split).ok;
    }),
    { numRuns: runs(1000) },
  );
});

const facts = [
  '#412',
  'ABC-9',
  '2026-05-03',
  '14:30',
  '17',
  '3.5h',
  '40%',
  'user_id',
  'src/main.ts',
  '--force',
  'v2.1.0',
  'Priya',
  'Okonkwo',
  'README',
  '@lee',
  'Friday',
];
const fillers = ['basically', 'the', 'parser', 'import', 'of', 'this', 'module', 'was', 'looked', 'into'];

test('no fact can be removed or added', (t) => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(facts, { minLength: 1 }),
      fc.shuffledSubarray(fillers, { minLength: 8 }),
      fc.nat(),
      (chosen, words, at) => {
        const lost = chosen[at % chosen.length]!;
        const full = `so ${words.flatMap((word, i) => [word, ...(chosen[i] ? [chosen[i]] : [])]).join(' ')} ${chosen.slice(words.length).join(' ')}`;
        const without = full
          .split(' ')
          .filter((word) => word !== lost)
          .join(' ');
        // The longer note, so that length is no reason.
        return !checkRewrite(full, without).ok && !checkRewrite(`${without} and then some more of it`, full).ok;
      },
    ),
    { numRuns: runs(500) },
  );
  t.pass();
});

test('facts stay between their blocks', (t) => {
  const split = splitNote('Before the fix of 3 queries:\n```\na\n```\nAfter the fix of 5 queries:\n```\nb\n```\n');
  const [first, second] = ['⟦0:1⟧', '⟦0:2⟧'];
  t.true(checkRewrite(split.sent, `Before fix of 3 queries:\n${first}\nAfter fix of 5 queries:\n${second}`, split).ok);
  t.false(checkRewrite(split.sent, `After fix of 5 queries:\n${first}\nBefore fix of 3 queries:\n${second}`, split).ok);
});

test('a denial stays with its passage', (t) => {
  const split = splitNote('The call of `open` does not return but `close` does return today.');
  t.true(checkRewrite(split.sent, "⟦0:1⟧ doesn't return but ⟦0:2⟧ does today.", split).ok);
  t.deepEqual(checkRewrite(split.sent, "⟦0:1⟧ does return but ⟦0:2⟧ doesn't today.", split), { ok: false, reason: 'lost_negation' });
});

test('every token is needed once and in order', (t) => {
  const split = splitNote('Compare `a` with `b` before the release.');
  t.true(checkRewrite(split.sent, 'Compare ⟦0:1⟧ with ⟦0:2⟧ before release.', split).ok);
  for (const answer of ['Compare ⟦0:2⟧ with ⟦0:1⟧.', 'Compare ⟦0:1⟧.', 'Compare ⟦0:1⟧⟦0:1⟧⟦0:2⟧.', 'Compare ⟦0:1⟧ ⟦0:2⟧ ⟦0:3⟧.']) {
    t.deepEqual(checkRewrite(split.sent, answer, split), { ok: false, reason: 'token' });
  }
});

test('length counts code points', (t) => {
  t.true(checkRewrite('😀😀 works', '😀 works').ok);
  t.deepEqual(checkRewrite('works', 'works  '), { ok: false, reason: 'longer' });
});
