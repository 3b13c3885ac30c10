/** Creating forms sent twice, after a failure, and after a lost answer: one change, and correct answers. */
import { fileDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';
import { startWeb, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let web: Web;
let fixtures: Fixtures;
test.before('a workspace, and a database that can disconnect', async () => {
  work = await workWorld(
    database.url,
    { items: [{ ref: 'r1', type: 'requirement', title: 'Approve me' }] },
    { personalNotes: [{ ref: 'n1', user: 'ana', html: '<p>Once</p>' }] },
  );
  proxy = await startProxy(database.url);
  web = await startWeb(proxy.url);
  fixtures = new Fixtures(database.url);
});
test.after('stop', async () => {
  await web?.stop();
  proxy?.close();
  await work?.stop();
  await fixtures?.close();
});

const forms = {
  'a workspace (a transaction)': {
    page: () => '/workspaces',
    action: '/workspaces',
    field: 'name',
    count: 'select count(*)::int as n from workspaces where name = $1',
  },
  'a task (one statement)': {
    page: () => `/workspaces/${work.refs.id('apollo')}/new?type=task`,
    action: '/items',
    field: 'title',
    count: 'select count(*)::int as n from items where title = $1',
  },
};

for (const [what, { page, action, field, count }] of Object.entries(forms)) {
  const made = async (name: string) => (await fixtures.sql(count, [name]))[0].n;
  const filled = async (ana: Visitor, name: string) => {
    await ana.go(page());
    const form = ana.form(action);
    form.fields.set(field, name);
    return form;
  };

  test(`${what}: of two concurrent copies one creates it, and both redirect to it`, async (t) => {
    const ana = await signedIn(web.baseUrl, emailOf('ana'));
    const { path, fields } = await filled(ana, 'Twin');
    const answers = await Promise.all([1, 2].map(() => ana.post(path, fields)));
    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    t.regex(answers[0]!.path, /\d\D*notice=created|\d+\/settings/);
    t.is(answers[0]!.path, answers[1]!.path);
    t.is((await ana.post(path, fields)).path, answers[0]!.path);
    t.is(await made('Twin'), 1);
  });

  test(`${what}: a form that failed without a database works when sent again`, async (t) => {
    const ana = await signedIn(web.baseUrl, emailOf('ana'));
    const { path, fields } = await filled(ana, 'Again');
    proxy.refuse();
    t.is((await ana.post(path, fields)).status, 503);
    proxy.heal();
    t.is((await ana.post(path, fields)).status, 200);
    t.is(await made('Again'), 1);
  });

  test(`${what}: when the answer is lost, sending the form again creates no second one`, async (t) => {
    const ana = await signedIn(web.baseUrl, emailOf('ana'));
    const { path, fields } = await filled(ana, 'Lost');
    if (what.includes('transaction')) proxy.dropCommits(1);
    else proxy.dropAnswers(1);
    const first = await ana.post(path, fields);
    t.true([200, 409, 503].includes(first.status), String(first.status));
    const second = await ana.post(path, fields);
    t.true([200, 409].includes(second.status), String(second.status));
    t.is(await made('Lost'), 1);
  });
}

test('a form that was edited after going back is a new one', async (t) => {
  const ana = await signedIn(web.baseUrl, emailOf('ana'));
  await ana.go('/workspaces');
  const { path, fields } = ana.form('/workspaces');
  for (const name of ['First', 'Second']) {
    fields.set('name', name);
    t.regex((await ana.post(path, fields)).text, new RegExp(`Settings of ${name}`));
  }
});

test('repeated small changes redirect, too, and cause no conflict with oneself', async (t) => {
  const ana = await signedIn(web.baseUrl, emailOf('ana'));
  const at = `/workspaces/${work.refs.id('apollo')}`;
  const twice = async (page: string, action: string, values: Record<string, string>, which?: (fields: URLSearchParams) => boolean) => {
    await ana.go(page);
    const { path, fields } = ana.form(action, which);
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    fields.delete('_ask');
    const answers = [await ana.post(path, fields), await ana.post(path, fields)];
    t.deepEqual(
      answers.map(({ status, path }) => [status, path]),
      [
        [200, answers[0]!.path],
        [200, answers[0]!.path],
      ],
      action,
    );
    t.regex(answers[1]!.path, /notice=|landed=/, action);
  };
  const item = `${at}/items/${work.refs.id('r1')}`;
  await twice(item, '/approval', { decision: 'request' });
  await twice(item, '/approval', { decision: 'approve' });
  await twice(item, '/timer/start', {});
  await twice(item, '/timer/stop', {});
  await twice('/my', '/entries/annotate', { note: 'Words' });
  await twice('/my', '/entries/log', { work: `#${work.refs.id('r1')}`, minutes: '5' });
  await twice('/my/notes', '/folders/create', { name: 'Ideas' });
  await twice(`/my/notes/${work.refs.id('n1')}`, `/notes/${work.refs.id('n1')}`, { html: '<p>Twice</p>' });
  await twice(`/my/notes/${work.refs.id('n1')}/delete`, '/delete', {});
  await twice(`${at}/settings/statuses`, '/statuses/add', { label: 'In test' });
  await twice(`${at}/settings/statuses`, '/priorities/add', { label: 'Soon' });
  await twice(item, '/archive', {});
});

test('a refused form can be corrected and sent again, and does not count', async (t) => {
  const ana = await signedIn(web.baseUrl, emailOf('ana'));
  await ana.go('/settings/people');
  const { path, fields } = ana.form('/add');
  fields.set('name', 'New');
  fields.set('email', 'nowhere');
  t.is((await ana.post(path, fields)).status, 400);
  fields.set('email', 'new@acme.example');
  t.regex((await ana.post(path, fields)).text, /Give this link to the person/);
  const twin = await ana.post(path, fields);
  t.is(twin.status, 409);
  t.regex(twin.text, /already sent/);
});

test('a hanging database gives an error page with all headers, also without a session', async (t) => {
  const ana = await signedIn(web.baseUrl, emailOf('ana'));
  const stranger = new Visitor(web.baseUrl);
  proxy.blackhole();
  // More than the pool's connections, so some requests wait.
  const answers = await Promise.all([...Array.from({ length: 8 }, () => ana.request('/my')), stranger.request('/sign-in')]);
  proxy.heal();
  for (const answer of answers) {
    t.is(answer.status, 503);
    t.regex(answer.headers.get('content-type')!, /text\/html/);
    t.regex(answer.headers.get('content-security-policy')!, /frame-ancestors 'none'/);
    t.truthy(answer.headers.get('retry-after'));
    t.regex(await answer.text(), /Not available right now/);
  }
});
