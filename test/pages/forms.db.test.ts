/** Forms with any number and names of values. Malformed bodies are refused without an internal error. */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, world } from '../support/world.ts';

const test = suite(import.meta.url);

const COUNT = 60;
const database = fileDatabase();
let web: Web;
let ana: Visitor;
test.before('a person of many workspaces', async () => {
  const workspaces = Array.from({ length: COUNT }, (_, n) => ({
    ref: `w${n}`,
    name: `Workspace ${n}`,
    mcp: { enabled: true, limits: {} },
    members: [{ user: 'ana', role: 'owner' as const }],
  }));
  const file = oneWorkspace({}, { workspaces });
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  await world(database.url, file);
  web = await startWeb(database.url);
  ana = await signedIn(web.baseUrl, 'ana@acme.example');
});
test.after('stop', () => web?.stop());

test('all of many ticked boxes count, and unusual names do no harm', async (t) => {
  await ana.go('/mcp-access');
  const { path, fields } = ana.form('/create');
  t.is(fields.getAll('workspaces').length, COUNT + 1);
  fields.set('name', 'Everywhere');
  for (const name of ['name[a]', 'workspaces[]', '_csrf[x]', '_once.x', '__proto__', '__proto__[x]', 'constructor', ''])
    fields.append(name, 'x');
  t.is((await ana.post(path, fields)).status, 200);
  const { html } = await ana.go('/mcp-access');
  const [, listed] = />([^<>]*Workspace \d+, [^<>]*)</.exec(html)!;
  t.is(listed!.match(/Workspace \d+/g)?.length, COUNT);
});

test('a malformed body gets an error page', async (t) => {
  const urlencoded = 'application/x-www-form-urlencoded';
  const odd: [string, string, string, Record<string, string>?][] = [
    ['/my/notes/new', 'multipart/form-data; boundary=x', '--x\r\nrubbish'],
    ['/my/notes/new', 'application/json', '{}'],
    ['/my/notes/new', 'text/plain', '_csrf=x'],
    ['/my/notes/new', urlencoded, `html=${'x'.repeat(2_000_000)}`],
    ['/my/notes/new', urlencoded, 'a&'.repeat(20_000)],
    ['/my/notes/new', urlencoded, '_csrf[a]=x'],
    ['/sign-in', urlencoded, 'email[a]=x&password[b]=c'],
    ['/sign-in', urlencoded, 'email=%E0%A4%A&password=%00%ff'],
    ['/sign-in', urlencoded, 'email=x', { 'Content-Encoding': 'gzip' }],
    ['/invitation', urlencoded, 'i=1e99&t[]=x'],
    ['/invitation', urlencoded, 'i=-1&t=x'],
  ];
  for (const [path, type, body, headers] of odd) {
    const answer = await ana.request(path, { method: 'POST', headers: { 'Content-Type': type, ...headers }, body });
    const where = `${path} ${body.slice(0, 40)} ${answer.status}`;
    t.true([400, 401, 403].includes(answer.status), where);
    t.regex(answer.headers.get('content-type')!, /^text\/html/, where);
  }
  for (const path of [
    '/%E0%A4%A',
    '/mcp-access/1%00',
    '/my?week=%00',
    '/mcp-access/activity?before=9e99',
    '/my/notes?folder=%ff&page=-1',
    '/?notice=x',
  ]) {
    const answer = await ana.request(path);
    t.true(answer.status < 500, `${path} ${answer.status}`);
    t.regex(answer.headers.get('content-type')!, /^text\/html/, path);
  }
});
