/** The burn-up of a release (behaviour §38.7). */
import test from 'ava';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const database = fileDatabase();
let work: WorkWorld;
const days = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
test.before('a release with tasks', async () => {
  const task = (title: string, ago: number, estimatedHours: number, more = {}) =>
    ({ type: 'task', title, createdAt: days(ago), fields: { requirementId: { ref: 'need' }, estimatedHours }, ...more }) as const;
  work = await workWorld(database.url, {
    items: [
      { ref: 'voyage', type: 'release', title: 'Voyage' },
      { ref: 'empty', type: 'release', title: 'Empty' },
      { ref: 'need', type: 'requirement', title: 'Need', fields: { releaseId: { ref: 'voyage' }, estimatedHours: 100 } },
      task('First', 10, 4, { status: 'done', completedAt: days(2) }),
      task('Second', 5, 6),
      task('Dropped', 5, 50, { status: 'cancelled' }),
    ],
  });
});
test.after.always('stop', () => work?.stop());

const at = (ref: string) => work.item(ref).slice(work.web.baseUrl.length);

test.serial('shows scope and done tasks and hours, in a sentence and in numbers', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  const { html, text } = await mia.go(at('voyage'));
  t.regex(html, /aria-label="Tasks: 1 task of 2 tasks done today\. The scope was 1 task on [^"]+ and has grown by 1 task\."/);
  t.regex(html, /aria-label="Hours: 4 h of 10 h done today\. The scope was 4 h on [^"]+ and has grown by 6 h\."/);
  t.regex(text, /Burn-up.*Show numbers/);
  t.false(/<(?:svg|path|text|section)[^>]* style=/.test(html), 'no style attributes');
  t.notRegex((await mia.go(at('empty'))).text, /Burn-up/);
  t.notRegex((await mia.go(at('need'))).text, /Burn-up/);
});

test.serial('leaves out tasks that the reader cannot see', async (t) => {
  const fixtures = new Fixtures(database.url);
  t.teardown(() => fixtures.close());
  await fixtures.sql(`update memberships set overrides = '{"tasks":"none"}' where user_id = $1`, [work.refs.id('vic')]);
  const vic = await signedIn(work.web.baseUrl, emailOf('vic'));
  t.is((await vic.go(at('voyage'))).status, 200);
  t.notRegex(vic.at.text, /Burn-up/);
});
