/** One user's cost for others is bounded, over all processes and sessions (behaviour §13.14). */
import { randomUUID } from 'node:crypto';
import { fileDatabase } from '../support/database.ts';
import { call } from '../support/mcpWorld.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const LIMIT = 24;
/** More than two minutes' limit, in case the minute changes, plus what a second process may allow. */
const TRIES = 3 * LIMIT;

const database = fileDatabase();
let refs: WorldRefs;
let webs: Web[];
let eva: Visitor;
let fixtures: Fixtures;

test.before('two web processes', async () => {
  const person = (ref: string) => ({ ref, email: `${ref}@saturation.example`, name: ref, password: PASSWORD });
  const connection = { ref: 'agent', user: 'eva', name: 'Agent', workspaces: [], notes: ['read', 'add'] as ('read' | 'add')[] };
  const restKeys = ['one', 'other'].map((ref) => ({ ref, user: 'eva', name: ref, grants: ['workspaces:read' as const] }));
  refs = await world(database.url, oneWorkspace({}, { users: [person('eva'), person('kim')], restKeys, connections: [connection] }));
  const limits = { RATE_LIMIT_PAGES: String(LIMIT), RATE_LIMIT_REST: String(LIMIT) };
  webs = await Promise.all([startWeb(database.url, limits), startWeb(database.url, limits)]);
  fixtures = new Fixtures(database.url);
  eva = await signedIn(webs[0]!.baseUrl, 'eva@saturation.example');
});
test.after('close', () => Promise.all([fixtures?.close(), ...(webs ?? []).map((web) => web.stop())]));

/** Another browser, or the same one on another process. */
function elsewhere(web: Web, cookie: string): Visitor {
  const visitor = new Visitor(web.baseUrl);
  visitor.cookie = cookie;
  return visitor;
}

async function untilRefused(visitor: Visitor, path: string): Promise<Response | null> {
  for (let n = 0; n < TRIES; n++) {
    const answer = await visitor.request(path);
    await answer.clone().arrayBuffer();
    if (answer.status === 429) return answer;
  }
  return null;
}

test("saturation: above a minute's limit a user gets a 429 page with Retry-After, on every process and session", async (t) => {
  const second = await signedIn(webs[1]!.baseUrl, 'eva@saturation.example');
  const refused = await untilRefused(eva, '/my/notes');
  t.truthy(refused);
  t.true(Number(refused!.headers.get('retry-after')) >= 1);
  const page = await refused!.text();
  t.regex(page, /<title>Too many requests/);
  t.regex(page, /Wait \d+ s, then try again/);
  t.truthy(
    await untilRefused(elsewhere(webs[1]!, eva.cookie), '/nowhere'),
    'the same session at the other process, at an address that is none',
  );
  t.truthy(await untilRefused(second, '/my/notes'), 'another session of the same person');
  const post = await second.request('/my/notes/new', { method: 'POST', body: new URLSearchParams({ html: 'x' }) });
  t.is(post.status, 429);
});

test('saturation: static files and other users are not counted', async (t) => {
  await untilRefused(eva, '/my');
  for (let n = 0; n < 2 * LIMIT; n++) t.is((await eva.request('/static/app.css')).status, 200);
  const kim = await signedIn(webs[0]!.baseUrl, 'kim@saturation.example');
  t.is((await kim.go('/my/notes')).status, 200);
});

test('saturation: all sessions of a user share one limit over REST, and each key has its own', async (t) => {
  const sessions = await Promise.all(Array.from({ length: 12 }, async () => elsewhere(webs[0]!, await fixtures.session(refs.id('eva')))));
  const capabilities = (visitor: Visitor) => visitor.request('/api/v1/capabilities');
  // Two of each are far below the limit of one session.
  const answers = await Promise.all(Array.from({ length: TRIES }, (_, n) => capabilities(sessions[n % 12]!)));
  const refused = answers.filter(({ status }) => status === 429);
  t.true(refused.length > 0 && refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1), String(refused.length));
  for (const key of [refs.key('one'), refs.key('other')]) {
    const first = await fetch(`${webs[0]!.baseUrl}/api/v1/capabilities`, { headers: { 'X-API-Key': key } });
    t.deepEqual([first.status, first.headers.get('ratelimit-remaining')], [200, String(LIMIT - 1)]);
  }
});

test('saturation: a note of more than 5,000 elements is refused with what to do; one of 5,000 is accepted', async (t) => {
  const agent = { url: `${webs[0]!.baseUrl}/mcp`, key: refs.key('agent') };
  const create = (items: number) =>
    call(agent as never, 'svc_personal_notes_create', { requestId: randomUUID(), html: `<ul>${'<li>'.repeat(items)}</ul>` });
  t.falsy((await create(4_999)).isError);
  const refused = await create(32_760);
  t.true(refused.isError);
  t.regex(JSON.stringify(refused), /html has more than 5,000 elements/);
});
