/** Notes are read in a helper thread with a deadline (behaviour §13.19). */
import { NoteReader, noteReader } from '../../../src/personal-notes/html/readNoteHtml.ts';
import { InvalidRequest } from '../../../src/values/errors.ts';
import { TooExpensive, threadLimits } from '../../../src/values/helperThread.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const long = '<p>word </p>'.repeat(4_000);

test('a note that takes too long is refused with what to do, on saving and for display; others are read', async (t) => {
  const reader = new NoteReader({ ...threadLimits.notes, answerMs: 0 });
  const expected = { instanceOf: TooExpensive, message: 'html takes too long to read. Split it into several notes.' };
  await t.throwsAsync(reader.check(1, long), expected);
  await t.throwsAsync(reader.prepare(1, long), expected);
  t.is((await noteReader.check(2, long)).title, 'word');
});

test('the thread refuses wrong HTML with its first fault, and prepares HTML for pages', async (t) => {
  await t.throwsAsync(noteReader.check(1, '<script>'), { instanceOf: InvalidRequest, message: /^Remove <script> from html/ });
  t.is(await noteReader.prepare(1, '<h1>a</h1>b\nc'), '<h2>a</h2>b<br>c');
});
