/** The API through a typed client generated from its document, as integrators use it. */
import createClient from 'openapi-fetch';
import { fileDatabase } from '../support/database.ts';
import { committedClient, generateClient } from '../support/generateClient.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import type { components, paths } from './api.generated.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

function client(headers: Record<string, string> = { 'X-API-Key': world.key }) {
  return createClient<paths>({ baseUrl: world.api.base, fetch: world.api.fetch, headers });
}

type Draft = components['schemas']['WorkInput'];
const draft: Draft = { type: 'task', title: 'Write the letter', description: '', status: 'planned', fields: {} };

test('an integrator finds a workspace, reads its options, creates an item, updates it and comments on it', async (t) => {
  const api = client();
  const { data: found } = await api.GET('/workspaces');
  const workspaceId = found!.workspaces[0]!.id;
  const { data: options } = await api.GET('/options', { params: { query: { workspaceId } } });
  const priorityKey = options!.priorities.find((priority) => !priority.default)!.key;
  const assigneeId = options!.assignees[0]!.id;

  const created = await api.POST('/items/save', { body: { workspaceId, record: { ...draft, fields: { priorityKey, assigneeId } } } });
  const { id, version } = created.data!;
  t.is(version, 1);
  const { data: item } = await api.GET('/item', { params: { query: { workspaceId, id } } });
  t.deepEqual(item, created.data);

  const record: Draft = { ...draft, id, version, status: 'done' };
  const updated = await api.POST('/items/save', { body: { workspaceId, record } });
  t.like(updated.data, { version: 2, status: 'done', fields: { priorityKey, progressPercent: 100 } });
  const stale = await api.POST('/items/save', { body: { workspaceId, record } });
  t.is(stale.response.status, 409);
  t.regex(stale.error!.error, /version 2/);

  const comment = await api.POST('/comments', { body: { workspaceId, id, body: 'Done.' } });
  const { data: comments } = await api.GET('/comments', { params: { query: { workspaceId, id } } });
  t.deepEqual(comments, { comments: [comment.data!], hasMore: false });
});

test('a client reads all pages with nextAfter', async (t) => {
  const api = client();
  const { workspaceId } = world;
  for (const title of ['one', 'two', 'three', 'four', 'five']) {
    await api.POST('/items/save', { body: { workspaceId, record: { ...draft, type: 'milestone', title } } });
  }
  const titles: string[] = [];
  for (let after = 0, more = true; more; ) {
    const { data } = await api.GET('/items', { params: { query: { workspaceId, type: 'milestone', after, limit: 2 } } });
    titles.push(...data!.items.map((item) => item.title));
    ({ nextAfter: after, hasMore: more } = data!);
  }
  t.deepEqual(titles, ['one', 'two', 'three', 'four', 'five']);
});

test('a session can write only with the CSRF value of its capabilities', async (t) => {
  const { workspaceId, fixtures, ownerId } = world;
  const cookie = `JSESSIONID=${await fixtures.session(ownerId)}`;
  const { data: capabilities } = await client({ cookie }).GET('/capabilities');
  t.like(capabilities, { authentication: { mode: 'session', keyName: null }, actor: { id: ownerId, name: 'Ana' } });
  const body = { workspaceId, record: draft };
  const refused = await client({ cookie }).POST('/items/save', { body });
  t.is(refused.response.status, 403);
  const saved = await client({ cookie, 'X-CSRF-Token': capabilities!.csrfToken! }).POST('/items/save', { body });
  t.is(saved.response.status, 200);
});

test('a client that sends a current ETag gets 304', async (t) => {
  const api = client();
  const { workspaceId } = world;
  const { data } = await api.POST('/items/save', { body: { workspaceId, record: draft } });
  const query = { workspaceId, id: data!.id };
  const first = await api.GET('/item', { params: { query } });
  const etag = first.response.headers.get('etag')!;
  const second = await api.GET('/item', { params: { query, header: { 'If-None-Match': etag } } });
  t.is(second.response.status, 304);
});

// Last: formatting blocks the event loop, so connections that the other tests keep open would time out.
test('the committed client matches the document: run `node test/support/generateClient.ts`', async (t) => {
  t.is(await generateClient(), committedClient());
});
