/** Approval on an item's page: its state in words, and the actions of each reader (behaviour §21.7). */
import { fileDatabase } from '../../support/database.ts';
import { Fixtures } from '../../support/restWorld.ts';
import { suite } from '../../support/suite.ts';
import { signedIn, type Visitor } from '../../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let ana: Visitor;
let max: Visitor;
let mia: Visitor;
test.before('requirements to approve', async () => {
  const titles = ['approve', 'reject', 'stale', 'member', 'since'] as const;
  work = await workWorld(database.url, {
    items: [
      ...titles.map((ref) => ({ ref, type: 'requirement' as const, title: `To ${ref}`, status: 'in_review' as const })),
      { ref: 'imported', type: 'release', title: 'Came approved', status: 'approved' },
      { ref: 'task', type: 'task', title: 'Not approved by anybody' },
    ],
    comments: [{ item: 'member', author: 'mia', body: 'The pump leaks; Max looks into it.' }],
  });
  [ana, max, mia] = (await Promise.all(['ana', 'max', 'mia'].map((ref) => signedIn(work.web.baseUrl, emailOf(ref as 'ana'))))) as [
    Visitor,
    Visitor,
    Visitor,
  ];
});
test.after('stop', () => work?.stop());

const at = (ref: string) => work.item(ref).slice(work.web.baseUrl.length);
const decide = (who: Visitor, decision: string, comment?: string) =>
  who.send('/approval', { decision, ...(comment !== undefined && { comment }) });
const box = ({ html }: { html: string }) => html.split('id="approve"')[1]?.split('</section>')[0] ?? '';
const words = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const status = ({ html }: { html: string }) =>
  /Properties Status (?:Change status of .*?: )?(.*?) (?:Priority|Owner|Target|RICE)/.exec(words(html))?.[1]?.trim();

test('a manager requests with a message, the owner is notified and approves, and the box names person and time', async (t) => {
  await max.go(at('approve'));
  t.regex(words(max.at.html), /Approval has not been requested\. Request approval Message to the approver/);
  await decide(max, 'request', 'Ready, <b>I think</b>');
  t.regex(words(max.at.html), /Approval requested\./);
  const asked = await ana.go(at('approve'));
  t.regex(words(box(asked)), /Needs your approval Max requested approval today \d\d:\d\d : Ready, &lt;b&gt;I think&lt;\/b&gt;/);
  t.regex(asked.html, /<a class="jump narrow" href="#approve">/);
  t.is(status(asked), 'Pending approval');
  const seen = await mia.go(at('approve'));
  t.regex(
    words(box(seen)),
    /Waiting for approval Max requested approval .* An owner or manager of the workspace can approve or reject it\./,
  );
  t.notRegex(seen.html, /class="jump|name="decision"/);
  const approved = await decide(ana, 'approve', 'Go ahead.');
  t.regex(words(approved.html), /Approved\./);
  t.is(status(approved), 'Approved');
  t.regex(words(box(approved)), /Approved by Ana, today Go ahead\./);
  t.notRegex(approved.html, /name="decision"/);
  t.regex(words(approved.html), /Max requested approval .*Ready, &lt;b&gt;I think&lt;\/b&gt;.*Ana approved .*Go ahead\./);
});

test('a rejection needs a reason, restores the status, stays visible, and can be requested again', async (t) => {
  await ana.go(at('reject'));
  await decide(ana, 'request');
  const refused = await decide(ana, 'reject');
  t.is(refused.status, 400);
  t.regex(refused.html, /<p class="[^"]*" role="alert">Say what has to change\./);
  t.regex(refused.html, /<textarea[^>]*name="comment"[^>]* aria-invalid="true"/);
  const rejected = await decide(ana, 'reject', 'Say what happens at sea');
  t.is(status(rejected), 'In review');
  t.regex(words(box(rejected)), /Rejected by Ana, today Say what happens at sea Request approval/);
  t.regex(words(box(await mia.go(at('reject')))), /Rejected by Ana, today Say what happens at sea $/);
  await ana.go(at('reject'));
  t.regex(words(box(await decide(ana, 'request', 'Said now'))), /Needs your approval Ana requested approval .*Said now/);
});

test('a decision on an outdated version is refused, and the typed text is kept', async (t) => {
  await max.go(at('stale'));
  await decide(max, 'request');
  await ana.go(at('stale'));
  const edit = await max.go(`${at('stale')}/edit`);
  const offered = /<select[^>]*name="statusKey"[^>]*>(.*?)<\/select>/s.exec(edit.html)![1]!;
  t.deepEqual(
    [...offered.matchAll(/<option[^>]*>([^<]*)/g)].map(([, label]) => label),
    ['Pending approval'],
  );
  await max.send('/edit', { title: 'Something else' });
  const refused = await decide(ana, 'approve', 'Fine with me');
  t.is(refused.status, 409);
  t.regex(refused.html, /role="alert">Max changed this item since you opened it/);
  t.regex(refused.html, /<h1 dir="auto" class="shown">Something else<\/h1>/);
  t.is(status(refused), 'Pending approval');
  t.is(ana.form('/approval').fields.get('comment')?.trim(), 'Fine with me');
});

test('content changed since the approval is shown next to the approved content', async (t) => {
  await ana.go(at('since'));
  await decide(ana, 'request');
  await decide(ana, 'approve');
  await max.go(`${at('since')}/edit`);
  await max.send('/edit', { title: 'To since, and more', targetDate: '2031-05-01' });
  const page = await ana.go(at('since'));
  t.regex(words(box(page)), /Approved by Ana, today Changed since approval : Title, Target date/);
  const compared = words(page.html.split('id="changed-since-approval"')[1]!.split('id="stream"')[0]!);
  t.regex(compared, /Title Approved version To since Now To since, and more .*Target date Approved version empty Now 1 May 2031/);
});

test("a member can't decide with any form, and has no approval among the statuses", async (t) => {
  const page = await mia.go(at('member'));
  t.regex(words(page.html), /Approval Approval has not been requested\. /);
  t.notRegex(page.html, /name="decision"|Request approval/);
  const { fields } = mia.form('/watch');
  for (const [name, value] of Object.entries({ version: '1', decision: 'request', comment: '' })) fields.set(name, value);
  t.is((await mia.post(`${at('member')}/approval`, fields)).status, 403);
  const edit = await mia.go(`${at('member')}/edit`);
  t.notRegex(/<select[^>]*name="statusKey"[^>]*>(.*?)<\/select>/s.exec(edit.html)![1]!, /approv/i);
  t.notRegex(words((await ana.go(at('task'))).html), /approval/i);
  t.regex(words((await ana.go(at('imported'))).html), /Approval This release is approved\./);
});

test('a rewritten note can show the submitted text', async (t) => {
  const fixtures = new Fixtures(database.url);
  t.teardown(() => fixtures.close());
  await fixtures.sql('update comments set original_body = $1 where item_id = $2', [
    'Pump leaks!! <i>Max on it</i>',
    work.refs.id('member'),
  ]);
  const { html } = await mia.go(at('member'));
  t.regex(html, /The pump leaks; Max looks into it\./);
  t.regex(html, /rewritten<\/span>/);
  t.regex(html, /<details><summary>.*Show as submitted<\/summary><blockquote>.*Pump leaks!! &lt;i&gt;Max on it&lt;\/i&gt;/);
  await fixtures.sql('update comments set edited_at = now() where item_id = $1', [work.refs.id('member')]);
  t.notRegex((await mia.go(at('member'))).html, /Pump leaks!!/);
  t.regex((await ana.go(at('member'))).html, /Pump leaks!!/, 'owners read previous texts');
});
