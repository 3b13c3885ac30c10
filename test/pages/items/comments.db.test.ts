/** Comments of one's own, and reactions (behaviour §8.11–8.13). */
import { fileDatabase } from '../../support/database.ts';
import { Fixtures } from '../../support/restWorld.ts';
import { suite } from '../../support/suite.ts';
import { signedIn, type Visitor } from '../../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let fixtures: Fixtures;
let [ana, mia, max]: Visitor[] = [];
test.before('a task with comments', async () => {
  fixtures = new Fixtures(database.url);
  work = await workWorld(database.url, {
    items: [{ ref: 'task', type: 'task', title: 'Sew' }],
    comments: [
      { item: 'task', author: 'mia', body: 'First words' },
      { item: 'task', author: 'max', body: 'Answer' },
    ],
  });
  [ana, mia, max] = await Promise.all((['ana', 'mia', 'max'] as const).map((name) => signedIn(work.web.baseUrl, emailOf(name))));
});
test.after('stop', async () => {
  await work?.stop();
  await fixtures?.close();
});

const at = () => work.item('task').slice(work.web.baseUrl.length);
/** Sends any form as this user, also one that their page does not have. */
async function force(who: Visitor, path: string, values: Record<string, string>) {
  await who.go(at());
  const { fields } = who.form('/comments');
  return who.post(`${at()}${path}`, new URLSearchParams({ _csrf: fields.get('_csrf') ?? '', ...values }));
}
const idOf = async (body: string): Promise<number> => (await fixtures.sql('select id from comments where body = $1', [body]))[0].id;
const kinds = async (): Promise<string[]> =>
  (await fixtures.sql(`select kind from changes where comment_id is not null order by id`)).map(({ kind }) => kind);

test('the author edits a comment; owners see the text before, others only that it was edited', async (t) => {
  const id = await idOf('First words');
  await mia!.go(at());
  t.regex((await mia!.send(`/comments/${id}`, { body: 'Better words' })).text, /Comment saved\./);
  t.deepEqual(await fixtures.sql('select body from comments where id = $1', [id]), [{ body: 'Better words' }]);
  t.deepEqual(await kinds(), ['comment.updated']);
  const seen = await max!.go(at());
  t.regex(seen.text, /Mia\s*edited/);
  t.notRegex(seen.text, /First words/);
  t.regex((await ana!.go(at())).text, /edited a comment.*First words/s);
  const [change] = await fixtures.sql(`select id from changes where kind = 'comment.updated'`);
  t.is((await max!.go(`${at()}/changes/${change.id}`)).status, 403);
});

test('the same text again changes nothing', async (t) => {
  const before = await kinds();
  await mia!.go(at());
  await mia!.send(`/comments/${await idOf('Better words')}`, { body: 'Better words' });
  t.deepEqual(await kinds(), before);
});

test('users cannot edit or delete comments of others, and absent comments get the same answer', async (t) => {
  const id = await idOf('Better words');
  for (const path of [`/comments/${id}`, `/comments/${id}/delete`, '/comments/99999', '/comments/99999/delete'])
    for (const other of [ana!, max!]) t.is((await force(other, path, { body: 'Stolen' })).status, 403, path);
  t.is(await idOf('Better words'), id);
});

test('reactions count once a user and reaction, show names, and go', async (t) => {
  const id = await idOf('Better words');
  for (const who of [max!, max!, ana!]) await force(who, `/comments/${id}/reactions`, { reaction: 'agree yes' });
  t.regex((await max!.go(at())).html, /aria-pressed="true" aria-label="Agree: 2, you and Ana"/);
  await force(max!, `/comments/${id}/reactions`, { reaction: 'agree no' });
  t.regex((await max!.go(at())).html, /aria-pressed="false" aria-label="Agree: 1, Ana"/);
  t.is((await force(max!, `/comments/${id}/reactions`, { reaction: 'laugh yes' })).status, 400);
});

test('a deleted comment is gone with its reactions; one line stays, with its text for owners', async (t) => {
  const id = await idOf('Better words');
  await mia!.go(at());
  t.regex((await mia!.sendSurely(`/comments/${id}/delete`)).text, /Comment deleted\./);
  t.deepEqual(await fixtures.sql('select id from comments where id = $1', [id]), []);
  t.deepEqual(await fixtures.sql('select 1 from comment_reactions'), []);
  const seen = await max!.go(at());
  t.regex(seen.text, /Mia\s*deleted a comment/);
  t.notRegex(seen.text, /Better words/);
  t.regex((await ana!.go(at())).text, /deleted a comment.*Better words/s);
});
