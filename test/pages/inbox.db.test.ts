/** The inbox, watching, mentions, settings and unsubscribe links, over HTTP without script (behaviour §10.19–§10.25). */
import { connectDb, type Db } from '../../src/database/db.ts';
import { tokenOf } from '../../src/notifications/choose.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { fileDatabase } from '../support/database.ts';
import { caughtUp } from '../support/following.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { queueOf } from '../support/workers.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
let db: Db;
let ana: Visitor;
let bo: Visitor;
test.before('people of a workspace, one without access to requirements', async () => {
  const person = (ref: string, name: string) => ({ ref, email: `${ref}@acme.example`, name, password: PASSWORD });
  const file = oneWorkspace(
    {
      members: [
        { user: 'bo', role: 'member' },
        { user: 'cy', role: 'member' },
        { user: 'cyrus', role: 'viewer' },
        { user: 'blind', role: 'member', access: { requirements: 'none' } },
      ],
    },
    { users: [person('bo', 'Bo'), person('cy', 'Cy'), person('cyrus', 'Cy'), person('blind', 'Dee'), person('outside', 'Eve')] },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  db = await connectDb(database.url, 2);
  web = await startWeb(database.url, { SMTP_URL: 'smtp://127.0.0.1:1' });
  [ana, bo] = [await signedIn(web.baseUrl, 'ana@acme.example'), await signedIn(web.baseUrl, 'bo@acme.example')];
});
test.after('stop', async () => {
  await web?.stop();
  await db?.close();
});

async function makeItem(title: string, type = 'task', fields: object = {}): Promise<string> {
  const answer = await fetch(`${web.baseUrl}/api/v1/items/save`, {
    method: 'POST',
    headers: { 'X-API-Key': refs.key('k1'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ workspaceId: refs.id('apollo'), record: { type, title, description: '', status: 'planned', fields } }),
  });
  const { id } = (await answer.json()) as { id: number };
  return `/workspaces/${refs.id('apollo')}/items/${id}`;
}
async function comment(visitor: Visitor, path: string, body: string) {
  await visitor.go(path);
  return visitor.send('/comments', { body });
}
const inbox = async (visitor: Visitor, query = '') => {
  await caughtUp(db, notificationsFollower);
  return visitor.go(`/notifications${query}`);
};

test('the inbox lists events, every page has the unread count, and one or all can be marked as read', async (t) => {
  const path = await makeItem('Report', 'task', { assigneeId: refs.id('bo') });
  await comment(ana, path, 'First');
  await comment(ana, path, 'Second');
  const { text } = await inbox(bo);
  t.regex(text, /Ana \(API key “Everything”\) assigned “Report” to you/);
  t.is(text.match(/Ana commented on “Report”/g)?.length, 2);
  t.regex((await bo.go('/my')).text, /Inbox3 unread/);
  t.regex((await ana.go('/my')).text, /Inbox0 unread/, 'users get no notification of their own changes');
  await bo.go('/notifications');
  t.regex((await bo.send('/read-one')).text, /Inbox2 unread/);
  t.regex((await bo.send('/read-all')).text, /No unread notifications/);
  t.regex(bo.at.text, /Inbox0 unread/);
  t.is((await inbox(bo, '?show=all')).text.match(/“Report”/g)?.length, 3);
  t.true(bo.at.html.includes(`${path}#comments`), 'a row leads to where it is answered');
});

test('users can mark only their own, and hidden items are not shown or counted', async (t) => {
  const path = await makeItem('Secret plan', 'requirement', {});
  await ana.go(path);
  await comment(bo, path, 'Mine');
  await comment(ana, path, 'Answer');
  t.regex((await inbox(bo)).text, /Inbox1 unread.*Ana commented on “Secret plan”/);
  const queue = await queueOf(t, database.url);
  const [{ id }] = await queue.rows('select max(id)::int as id from notifications where user_id = $1', [refs.id('bo')]);
  await ana.go('/notifications?show=all');
  const fields = new URLSearchParams(ana.form('/sign-out').fields);
  fields.set('notificationId', String(id));
  await ana.post('/notifications/read-one', fields);
  t.regex((await inbox(bo)).text, /Inbox1 unread/);
  await queue.rows(`update memberships set overrides = '{"requirements": "none"}' where user_id = $1`, [refs.id('bo')]);
  t.notRegex((await inbox(bo, '?show=all')).text, /Secret|Inbox[1-9]/);
  await queue.rows(`update memberships set overrides = '{}' where user_id = $1`, [refs.id('bo')]);
  await bo.go('/notifications');
  await bo.send('/read-all');
});

test('an item can be watched and unwatched on its page, and unwatched from a row', async (t) => {
  const path = await makeItem('Watched');
  t.regex((await bo.go(path)).html, />Watch</);
  t.regex((await bo.send('/watch')).html, />Unwatch</);
  await comment(ana, path, 'News');
  t.regex((await inbox(bo)).text, /Ana commented on “Watched”/);
  t.regex((await bo.send('/unwatch')).text, /No longer watching/);
  t.is(bo.at.path, '/notifications?notice=unwatched', 'without leaving the inbox');
  t.regex((await bo.go(path)).html, />Watch</);
  await comment(ana, path, 'More news');
  t.is((await inbox(bo)).text.match(/“Watched”/g)?.length, 1);
  await bo.send('/read-all');
});

test("a mention notifies its person; an ambiguous name asks; users who can't see the item are not offered or found", async (t) => {
  const path = await makeItem('Offline', 'requirement');
  const { text } = await ana.go(path);
  t.regex(text, new RegExp(`@Cy#${refs.id('cy')} member`));
  t.notRegex(text, /@Dee|@Eve/);
  await comment(ana, path, '@bo, look; @Dee and @Eve as well');
  t.regex((await inbox(bo)).text, /Ana mentioned you on “Offline”/);
  const refused = await comment(ana, path, 'And @Cy');
  t.is(refused.status, 400);
  t.regex(
    refused.text,
    new RegExp(`several people have this name.*@Cy#${refs.id('cy')} \\(member\\) or @Cy#${refs.id('cyrus')} \\(viewer\\)`),
  );
  t.regex(refused.text, /And @Cy/, 'the typed text is kept');
  await ana.send('/comments', { body: `And @Cy#${refs.id('cyrus')}` });
  await caughtUp(db, notificationsFollower);
  const queue = await queueOf(t, database.url);
  const kept = await queue.rows(
    `select c.body, m.user_id::int as id from comment_mentions m join comments c on c.id = m.comment_id order by c.id`,
  );
  t.deepEqual(kept, [
    { body: '@bo, look; @Dee and @Eve as well', id: refs.id('bo') },
    { body: `And @Cy#${refs.id('cyrus')}`, id: refs.id('cyrus') },
  ]);
});

test('each kind is delivered as its person chose', async (t) => {
  const { text } = await bo.go('/settings/notifications');
  t.regex(text, /Emails go to bo@acme\.example/);
  t.regex((await bo.send('/settings/notifications', { commented: 'off', mentioned: 'page' })).text, /Saved/);
  t.is(bo.form('/settings/notifications').fields.get('commented'), 'off');
  t.is((await bo.send('/settings/notifications', { commented: 'loud' })).status, 400);
  t.is((await bo.send('/settings/notifications', { password_set: 'off' })).status, 400);
  t.is((await bo.go('/settings/notifications')) && bo.form('/settings/notifications').fields.get('password_set'), 'mail');
});

test("a mail's unsubscribe link asks people to confirm, works at once from mail programs, and ignores other requests", async (t) => {
  const keys = { secretKey: TEST_SECRET };
  const path = `/unsubscribe?t=${tokenOf(keys, { userId: refs.id('cy'), mails: 'assigned' })}`;
  const queue = await queueOf(t, database.url);
  const choices = () => queue.rows('select kind, choice from notification_choices where user_id = $1 order by 1', [refs.id('cy')]);
  const opened = await fetch(web.baseUrl + path);
  t.regex(await opened.text(), /Stop emails about/);
  t.deepEqual(await choices(), []);
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  t.is((await fetch(web.baseUrl + path, oneClick)).status, 200);
  t.is((await fetch(web.baseUrl + path, oneClick)).status, 200, 'a second time as well');
  t.deepEqual(await choices(), [{ kind: 'assigned', choice: 'page' }]);
  const digest = `/unsubscribe?t=${tokenOf(keys, { userId: refs.id('cy'), mails: 'digest' })}`;
  t.is((await fetch(web.baseUrl + digest, oneClick)).status, 200);
  t.deepEqual(
    (await choices()).map(({ kind }) => kind),
    ['assigned', 'away', 'commented', 'due_tomorrow', 'outlook', 'outlook_week', 'overdue'],
  );
  for (const bad of ['/unsubscribe', '/unsubscribe?t=1.assigned.x', path.replace('assigned', 'commented')]) {
    for (const init of [{}, oneClick]) {
      const answer = await fetch(web.baseUrl + bad, init);
      t.is(answer.status, 400, bad);
      t.regex(await answer.text(), /nothing was changed/);
    }
  }
});

test('decisions come first, are made in the row with a message at the displayed version, and once', async (t) => {
  const queue = await queueOf(t, database.url);
  await queue.rows(`update memberships set role = 'manager' where user_id = $1`, [refs.id('bo')]);
  const path = await makeItem('Take a car along', 'requirement');
  await ana.go(path);
  await ana.send('/approval', { decision: 'request', comment: 'It is small' }, (fields) => !fields.has('decision') || true);
  const { text } = await inbox(bo);
  t.regex(text, /Needs your approval ?1.*Take a car along.*Ana requests your approval, Today.*It is small/);
  t.notRegex((await ana.go('/notifications')).text, /Needs your approval/, 'another user decides one’s own request');
  const refused = await bo.go('/notifications').then(() => bo.send('/decide', { decision: 'reject' }));
  t.is(refused.status, 400);
  t.regex(refused.text, /Message: say what has to change/);
  const { path: action, fields } = bo.form('/decide');
  fields.set('decision', 'reject');
  fields.set('comment', 'Not by car');
  const [once, twice] = [await bo.post(action, fields), await bo.post(action, fields)];
  t.regex(once.text, /Rejected/);
  t.is(twice.path, once.path);
  t.notRegex(once.text, /Needs your approval/);
  t.regex((await bo.go(path)).text, /Not by car/);

  await ana.go(path);
  await ana.send('/approval', { decision: 'request' });
  await bo.go('/notifications');
  const stale = bo.form('/decide');
  await queue.rows('update items set version = version + 1 where title = $1', ['Take a car along']);
  stale.fields.set('decision', 'approve');
  const late = await bo.post(stale.path, stale.fields);
  t.is(late.status, 409);
  t.regex(late.text, /has changed since you opened this page, so your decision was not saved/);
  await bo.go('/notifications');
  t.regex((await bo.send('/decide', { decision: 'approve' })).text, /Approved/);
  await queue.rows(`update memberships set role = 'member' where user_id = $1`, [refs.id('bo')]);
  t.is((await bo.post(stale.path, stale.fields)).status, 403, 'who may not decide any more');
});

test('a decision completes its request: it is read, not counted and no longer offered', async (t) => {
  const queue = await queueOf(t, database.url);
  await queue.rows(`update memberships set role = 'manager' where user_id = $1`, [refs.id('bo')]);
  await bo.go('/notifications');
  if (bo.at.html.includes('/read-all')) await bo.send('/read-all');
  const path = await makeItem('Take a dog along', 'requirement');
  await ana.go(path);
  await ana.send('/approval', { decision: 'request' });
  t.regex((await inbox(bo)).text, /Inbox1 unread.*Ana requests your approval of “Take a dog along”/);
  const { text } = await bo.send('/decide', { decision: 'approve' });
  t.regex(text, /Inbox0 unread/);
  t.regex(text, /No unread notifications/);
  const row = /requests your approval of “Take a dog along”.*?<\/li>/s.exec((await inbox(bo, '?show=all')).html)![0];
  t.regex(row, />Open</);
  t.notRegex(row, /Decide|>Done</);
  await queue.rows(`update memberships set role = 'member' where user_id = $1`, [refs.id('bo')]);
});

test("notifications are grouped by day in the user's zone, a row can unwatch, and pages continue", async (t) => {
  const queue = await queueOf(t, database.url);
  const path = await makeItem('Grouped', 'task', { assigneeId: refs.id('cy') });
  await comment(ana, path, 'One');
  await comment(ana, path, 'Two');
  const cy = await signedIn(web.baseUrl, 'cy@acme.example');
  await inbox(cy);
  await queue.rows(`update notifications set created_at = now() - interval '1 day' where kind = 'commented' and user_id = $1`, [
    refs.id('cy'),
  ]);
  t.regex((await inbox(cy)).text, /Today ?1.*Yesterday ?2/s);
  t.regex((await cy.send('/unwatch')).text, /No longer watching/);
  await comment(ana, path, 'Three');
  t.is((await inbox(cy)).text.match(/commented on “Grouped”/g)?.length, 2);
  await queue.rows(
    `insert into notifications (account_id, workspace_id, user_id, kind, item_id, due_on, due_at)
     select account_id, workspace_id, $1, 'overdue', item_id, current_date - n, now() from notifications, generate_series(1, 60) n
     where user_id = $1 and kind = 'assigned' limit 60`,
    [refs.id('cy')],
  );
  await cy.go('/notifications?show=all');
  const [, earlier] = /href="[^"]*(\/notifications\?show=all&amp;before=\d+)"/.exec(cy.at.html)!;
  t.regex((await cy.go(earlier!.replace('&amp;', '&'))).text, /“Grouped”/);
  const eve = await signedIn(web.baseUrl, 'outside@acme.example');
  t.regex((await eve.go('/notifications?show=all')).text, /No notifications/);
});

test('a snoozed notification leaves the inbox and the count, and comes back once by its time', async (t) => {
  const queue = await queueOf(t, database.url);
  await bo.go('/notifications');
  if (bo.at.html.includes('/read-all')) await bo.send('/read-all');
  await makeItem('Snoozed work', 'task', { assigneeId: refs.id('bo') });
  t.regex((await inbox(bo)).text, /Inbox1 unread.*“Snoozed work”/);
  const [, choices] = /href="[^"]*(\/notifications\/snooze\?notificationId=\d+)"/.exec(bo.at.html)!;
  await bo.go(choices!);
  const { path, fields } = bo.form('/snooze');
  for (const wrong of ['whenever', '']) {
    fields.set('until', wrong);
    t.is((await bo.post(path, fields)).status, 400);
  }
  for (const past of ['0001-01-01', '2020-01-01']) {
    fields.set('on', past);
    const refused = await bo.post(path, fields);
    t.is(refused.status, 400);
    t.regex(refused.text, /choose a day from tomorrow on/i);
  }
  fields.delete('on');
  fields.set('until', 'tomorrow');
  const snoozed = await bo.post(path, fields);
  t.regex(snoozed.text, /Inbox0 unread/);
  t.notRegex(snoozed.text, /“Snoozed work”/);
  const [row] = await queue.rows('select id::int, snoozed_until from notifications where snoozed_until is not null and user_id = $1', [
    refs.id('bo'),
  ]);
  t.is(new Date(String(row.snoozed_until)).toISOString().slice(11), '09:00:00.000Z', 'nine in the zone of the person, UTC here');
  t.regex((await inbox(bo, '?show=snoozed')).text, /“Snoozed work”.*until/);
  await bo.go(choices!);
  const chosen = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  t.regex((await bo.send('/snooze', { on: chosen }, (sent) => sent.has('on'))).text, /Snoozed\./);
  const [later] = await queue.rows('select snoozed_until from notifications where id = $1', [row.id]);
  t.is(new Date(String(later.snoozed_until)).toISOString(), `${chosen}T09:00:00.000Z`);
  await ana.go('/notifications?show=all');
  const foreign = new URLSearchParams(ana.form('/sign-out').fields);
  foreign.set('notificationId', String(row.id));
  foreign.set('until', 'now');
  await ana.post('/notifications/snooze', foreign);
  t.regex((await inbox(bo)).text, /Inbox0 unread/, 'only its person changes it');
  await ana.post('/notifications/undo', foreign);
  t.regex((await inbox(bo)).text, /Inbox0 unread/, 'nor does another person undo it');
  await queue.rows(`update notifications set snoozed_until = now() - interval '1 second' where id = $1`, [row.id]);
  t.is((await inbox(bo)).text.match(/“Snoozed work”/g)?.length, 1);
  t.regex(bo.at.text, /Inbox1 unread/);
  t.regex((await bo.send('/read-one')).text, /Inbox0 unread/);
  t.notRegex((await inbox(bo)).text, /“Snoozed work”/, 'it does not come back again');
});

test('a reply in the row is a comment and completes the notification; without the right there is no reply', async (t) => {
  const queue = await queueOf(t, database.url);
  const cy = await signedIn(web.baseUrl, 'cy@acme.example');
  const path = await makeItem('Asked about', 'task', { assigneeId: refs.id('cy') });
  await inbox(cy);
  if (cy.at.html.includes('/read-all')) await cy.send('/read-all');
  await comment(ana, path, 'Is Thursday early enough?');
  await inbox(cy);
  t.is((await cy.send('/reply', { body: ' ' })).status, 400);
  await inbox(cy);
  t.regex((await cy.send('/reply', { body: 'Thursday is fine' })).text, /Inbox0 unread/);
  t.regex((await ana.go(path)).text, /Thursday is fine/);
  await comment(ana, path, 'Good');
  await queue.rows(`update memberships set overrides = '{"comments": "read"}' where user_id = $1`, [refs.id('cy')]);
  t.false((await inbox(cy)).html.includes('/notifications/reply'));
  await queue.rows(`update memberships set overrides = '{}' where user_id = $1`, [refs.id('cy')]);
});

test('decisions that wait are counted beside the unread ones', async (t) => {
  const queue = await queueOf(t, database.url);
  await queue.rows(`update memberships set role = 'manager' where user_id = $1`, [refs.id('bo')]);
  const path = await makeItem('Count me', 'requirement');
  await ana.go(path);
  await ana.send('/approval', { decision: 'request' });
  await bo.go('/my');
  t.regex(bo.at.text, /Inbox\d+ unread1 to decide/);
  await queue.rows(`update memberships set role = 'member' where user_id = $1`, [refs.id('bo')]);
  t.regex((await bo.go('/my')).text, /Inbox\d+ unread0 to decide/);
});
