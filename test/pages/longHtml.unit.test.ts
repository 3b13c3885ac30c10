import test from 'ava';
import fc from 'fast-check';
import { bytesOf } from '../../src/pages/frame/bytesOf.ts';
import { type Content, Html, html } from '../../src/pages/frame/html.ts';

const letters = fc.constantFrom('a', '<', '–', 'é', '😀', '"');
const text = fc.tuple(letters, fc.nat(30_000)).map(([letter, times]) => letter.repeat(times));
const { content } = fc.letrec<{ content: Content }>((tie) => ({
  content: fc.oneof(
    { maxDepth: 3 },
    text,
    text.map((one) => new Html(one)),
    fc.array(tie('content'), { maxLength: 4 }),
    fc.array(tie('content'), { maxLength: 3 }).map((several) => html`<p>${several[0]}${several}</p>`),
    fc.constantFrom(null, false, 7),
  ),
}));

/** HTML as one plain string. */
function plain(one: Content): string {
  if (Array.isArray(one)) return one.map(plain).join('');
  return one instanceof Html ? one.text : html`${one as string}`.text;
}

test('long and nested contents give all HTML in order, as text and in bytes', (t) => {
  fc.assert(
    fc.property(fc.array(content, { maxLength: 5 }), (contents) => {
      const made = html`<main>${contents}</main>`;
      const wanted = `<main>${contents.map(plain).join('')}</main>`;
      return made.text === wanted && bytesOf(made).equals(Buffer.from(wanted));
    }),
    { numRuns: 60 },
  );
  t.pass();
});

test('a piece longer than the write buffer is written completely', (t) => {
  const long = 'é'.repeat(400_000);
  t.deepEqual(bytesOf(new Html('a', [long, 'b'])), Buffer.from(`a${long}b`));
});
