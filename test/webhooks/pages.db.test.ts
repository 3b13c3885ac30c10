/** Webhooks from the page and the command line to a receiver, with real workers, one of which is killed. */
import { Webhook } from 'standardwebhooks';
import { stintHere } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { queueOf, runningWorker } from '../support/workers.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const env = { WEBHOOK_PRIVATE_ADDRESSES: 'on' };
let web: Web;
let refs: WorldRefs;
let receiver: Receiver;
test.before(async () => {
  const file = oneWorkspace(
    {
      members: [
        { user: 'max', role: 'manager' },
        { user: 'mia', role: 'member' },
      ],
    },
    {
      users: ['max', 'mia'].map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD })),
    },
  );
  refs = await world(database.url, file);
  web = await startWeb(database.url, env);
  receiver = await startReceiver();
});
test.after(async () => {
  receiver?.close();
  await web?.stop();
});

const path = () => `/workspaces/${refs.id('apollo')}/webhooks`;
async function task(title: string): Promise<void> {
  const answer = await fetch(`${web.baseUrl}/api/v1/items/save`, {
    method: 'POST',
    headers: { 'X-API-Key': refs.key('k1'), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      workspaceId: refs.id('apollo'),
      record: { type: 'task', title, description: '', status: 'planned', fields: {} },
    }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}
const titles = () => [...new Set(receiver.taken.map(({ body }) => JSON.parse(body).data.title))].toSorted();
/** Runs in this process, with the environment of the service. */
const stint = (words: string, settings: Record<string, string> = { SECRET_KEY: TEST_SECRET, ...env }) =>
  stintHere(database.url, [...words.split(' '), '--json'], { env: settings });
const command = async (words: string) => {
  const result = await stint(words);
  if (result.code !== 0) throw new Error(result.stderr);
  return result.json;
};

test('a manager creates a webhook on its page, and changes arrive although a worker is killed', async (t) => {
  const max = await signedIn(web.baseUrl, 'max@acme.example');
  await max.go(`/workspaces/${refs.id('apollo')}`);
  t.true(max.at.html.includes('/webhooks"'));
  await max.go(path());
  await max.send('/create', { url: 'http://10.0.0.1/' });
  t.is(max.at.status, 400);
  t.regex(max.at.text, /URL: must be https, or http to this machine\./);
  t.notRegex(max.at.html, /approval\./);
  await max.send('/create', { url: `${receiver.url}/page`, kinds: ['approval.approved'] });
  t.is(max.at.status, 400);
  t.regex(max.at.text, /webhooks send no approvals\. The change of status comes as item\.updated/);
  await max.send('/create', { url: `${receiver.url}/page`, format: 'irc' });
  t.is(max.at.status, 400);
  t.regex(max.at.text, /Format: give one of stint, slack, teams, discord/);
  await max.send('/create', { url: `${receiver.url}/page`, kinds: ['item.created'] });
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(max.at.html)![0];
  await max.go(path());
  t.regex(max.at.text, /\/hook\/page ?item\.created ?max ?Working/);
  t.false(max.at.html.includes('whsec_'));

  const queue = await queueOf(t, database.url);
  const pace = '200,1000';
  const [first] = await Promise.all([1, 2].map(() => runningWorker(t, database.url, { pace, env })));
  const written = Array.from({ length: 60 }, (_, n) => `Task ${n}`);
  await Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      for (const [n, title] of written.entries()) {
        if (n % 4 !== writer) continue;
        await task(title);
        if (n === 30) first!.kill('SIGKILL');
      }
    }),
  );
  // A webhook that the killed worker held is free after a minute: here at once.
  await queue.rows('update webhooks set held_until = now() where holder is not null');
  await queue.until(`select count(distinct change_id) = ${written.length} from webhook_deliveries where state = 'delivered'`);
  t.deepEqual(titles(), written.toSorted());
  for (const { body, headers } of receiver.taken) t.like(new Webhook(secret).verify(body, headers), { type: 'item.created' });
  const ids = receiver.taken.map(({ headers }) => headers['webhook-id']);
  // At least once: the dead worker had at most one message under way.
  t.true(ids.length - new Set(ids).size <= 1);

  const link = /\/webhooks\/\d+/.exec((await max.go(path())).html)![0];
  await max.go(`/workspaces/${refs.id('apollo')}${link}`);
  t.regex(max.at.text, /item\.created \d+ ?Delivered.*200 thanks/);
  await max.send('/test');
  await queue.until(`select count(*) = 1 from webhook_deliveries where change_id is null and state = 'delivered'`);
  t.is(JSON.parse(receiver.taken.at(-1)!.body).type, 'webhook.test');
  await max.sendSurely('/rotate');
  t.regex(max.at.text, /whsec_/);
  t.regex(max.at.text, /For 24 hours, messages are signed with the old secret too\./);
  await max.go(`/workspaces/${refs.id('apollo')}${link}`);
  await max.sendSurely('/revoke');
  t.regex(max.at.text, /This webhook is revoked\./);
  t.false(max.at.html.includes(`${link}/test`));
});

test("members and other accounts can't see webhooks", async (t) => {
  const mia = await signedIn(web.baseUrl, 'mia@acme.example');
  await mia.go(`/workspaces/${refs.id('apollo')}`);
  t.false(mia.at.html.includes('/webhooks'));
  for (const at of [path(), `${path()}/1`]) t.is((await mia.go(at)).status, 403);
  const max = await signedIn(web.baseUrl, 'max@acme.example');
  t.is((await max.go(`${path()}/999999`)).status, 403);
});

test('the command line creates, lists, rotates, tests and revokes, and explains errors in one sentence', async (t) => {
  const workspace = refs.id('apollo');
  const made = await command(
    `webhook create --workspace ${workspace} --user ${refs.id('max')} --url ${receiver.url}/cli --kinds comment.created,item.created`,
  );
  t.deepEqual(Object.keys(made), ['id', 'secret']);
  const { webhooks } = await command(`webhook list --workspace ${workspace}`);
  t.like(webhooks.at(-1), { id: made.id, state: 'works', kinds: ['comment.created', 'item.created'], userName: 'max' });
  t.false(JSON.stringify(webhooks).includes('whsec_'));
  t.is(webhooks.at(-1).format, 'stint');
  t.not((await command(`webhook rotate --webhook ${made.id}`)).secret, made.secret);
  t.like(await command(`webhook test --webhook ${made.id}`), { id: made.id });
  t.deepEqual(await command(`webhook revoke --webhook ${made.id}`), { id: made.id, revoked: true });
  const refused = async (words: string, settings: Record<string, string> = { SECRET_KEY: TEST_SECRET }) =>
    (await stint(words, settings)).stderr.trim();
  t.regex(await refused(`webhook revoke --webhook ${made.id}`), /there is no webhook \d+ that can be changed/);
  const create = `webhook create --workspace ${workspace} --user`;
  t.regex(await refused(`${create} ${refs.id('mia')} --url https://example.org/`), /--user:? is not an owner or manager/);
  t.regex(await refused(`${create} ${refs.id('max')} --url https://127.0.0.1/`), /--url:? must lead to a public address/);
  t.regex(await refused(`${create} ${refs.id('max')} --url https://example.org/ --kinds item.made`), /--kinds.*give some of item\.created/);
  t.regex(
    await refused(`${create} ${refs.id('max')} --url https://example.org/ --kinds approval.approved`),
    /--kinds.*webhooks send no approvals/,
  );
  t.regex(
    await refused(`${create} ${refs.id('max')} --url https://example.org/ --format irc`),
    /--format.*give one of stint, slack, teams, discord/,
  );
  t.regex(await refused(`${create} ${refs.id('max')} --url https://example.org/`, {}), /SECRET_KEY is missing/);
});

test('the format is chosen on the page or the command line, and the list and the page of the webhook show it', async (t) => {
  const max = await signedIn(web.baseUrl, 'max@acme.example');
  await max.go(path());
  await max.send('/create', { url: `${receiver.url}/teams`, format: 'teams' });
  const id = /webhooks\/(\d+)"/.exec(max.at.html)![1]!;
  const { id: other } = await command(
    `webhook create --workspace ${refs.id('apollo')} --user ${refs.id('max')} --url ${receiver.url}/slack --format slack`,
  );
  await max.go(path());
  t.regex(max.at.text, /\/…eams ?all changes \(Microsoft Teams\) ?max ?Working/);
  await max.go(`${path()}/${id}`);
  t.regex(max.at.text, /all changes\. Format: Microsoft Teams\./);
  await max.go(`${path()}/${other}`);
  t.regex(max.at.text, /all changes\. Format: Slack\./);
});

test('a new webhook secret has a text about signatures, not the one about keys', async (t) => {
  const max = await signedIn(web.baseUrl, 'max@acme.example');
  await max.go(path());
  const { text } = await max.send('/create', { url: `${receiver.url}/secret`, kinds: ['item.created'] });
  t.regex(text, /Your receiver needs it to verify the signature of each message\./);
  t.regex(text, /Copy the secret/);
  t.notRegex(text, /\bkey\b/i);
});

test('the whole URL of a chat is shown nowhere: who has it could write to the chat', async (t) => {
  const secret = 'T000-B000-very-secret-part-XYZ9';
  const made = await command(
    `webhook create --workspace ${refs.id('apollo')} --user ${refs.id('max')} --url https://chat.example/services/${secret} --format slack`,
  );
  const max = await signedIn(web.baseUrl, 'max@acme.example');
  const shown = [JSON.stringify(await command(`webhook list --workspace ${refs.id('apollo')}`))];
  for (const at of [path(), `${path()}/${made.id}`]) shown.push((await max.go(at)).text);
  for (const text of shown) {
    t.true(text.includes('https://chat.example/…XYZ9'));
    t.false(text.includes('very-secret'));
  }
});
