/** Exports that account owners download (behaviour §41), over real pages, with the jobs of a worker. */
import yauzl from 'yauzl';
import { connectDb, type Db } from '../../src/database/db.ts';
import { importData } from '../../src/import/importData.ts';
import type { ImportInput } from '../../src/import/schema.ts';
import { mailExport, makeExport } from '../../src/import/zip/exports.ts';
import { fileNameOf } from '../../src/import/zip/zip.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { JOBS } from '../support/queueTable.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const signal = new AbortController().signal;
const QUOTA = 64 * 1024 * 1024;
let refs: WorldRefs;
let db: Db;
let web: Web;

/** Each with an account: a person has one export in the making. */
const people = ['ana', 'eve', 'full', 'lost', 'twice', 'stopped'];

test.before('accounts', async () => {
  const file = { accounts: people.map(accountOf) } as ImportInput;
  refs = await world(database.url, file);
  db = await connectDb(database.url, 6);
  web = await startWeb(database.url);
});
test.after('stop', async () => {
  await web?.stop();
  await db?.close();
});

function accountOf(person: string) {
  const at = `${person}@${person}.example`;
  const item = { type: 'task', title: '=HYPERLINK("https://evil.example")', description: 'Größe 🐋\n"quoted"', labels: ['Boats'] };
  const workspace = (ref: string, more: object = {}) => ({
    ...{
      ref: `${person}-${ref}`,
      name: `${ref}/../${person}`,
      members: [
        { user: person, role: 'owner', timeOversight: false },
        { user: `${person}2`, role: 'member' },
      ],
    },
    ...{ labels: [{ name: 'Boats' }], items: [{ ref: `${person}-${ref}-t`, ...item }] },
    ...more,
  });
  return {
    ...{
      name: `${person} ltd`,
      users: [owner(person, at), { ref: `${person}2`, email: `two@${person}.example`, name: 'Two', password: PASSWORD }],
    },
    personalNotes: [{ user: `${person}2`, html: '<p>my secret note</p>' }],
    workspaces: [
      workspace('seen', {
        comments: [{ item: `${person}-seen-t`, author: `${person}2`, body: 'It is **blue**.' }],
        timeEntries: [
          { user: person, item: `${person}-seen-t`, date: '2026-03-02', minutes: 20, note: 'my own words' },
          { user: `${person}2`, item: `${person}-seen-t`, date: '2026-03-03', minutes: 30, note: 'not for others' },
        ],
      }),
      workspace('partly', { members: [{ user: person, role: 'owner', access: { goals: 'none' } }] }),
      workspace('others', { members: [{ user: `${person}2`, role: 'owner' }] }),
    ],
  };
}
const owner = (ref: string, email: string) => ({ ref, email, name: ref, accountRole: 'owner', password: PASSWORD });

const rows = (text: string, values: unknown[] = []) => rowsAt(database.url, text, values);
const visitorOf = (person: string) => signedIn(web.baseUrl, `${person}@${person}.example`);

async function start(person: string, ana: Visitor): Promise<number> {
  await ana.go('/settings/account');
  const page = await ana.send('/exports');
  if (!page.text.includes('Export started.')) throw new Error(page.text);
  const [{ id }] = await rows('select max(id) as id from data_exports where user_id = $1', [refs.id(person)]);
  return Number(id);
}

async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  const found = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(found));
    zip.on('entry', (entry: yauzl.Entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        found.set(entry.fileName, Buffer.concat(await stream.toArray()).toString());
        zip.readEntry();
      }),
    );
    zip.readEntry();
  });
}

test('an owner downloads everything that they see, as files for import and as CSV, and nothing private of others', async (t) => {
  const ana = await visitorOf('ana');
  const id = await start('ana', ana);
  t.regex((await ana.go('/settings/account')).text, /In progress/);
  await makeExport(db, id, QUOTA, signal);
  t.regex((await ana.go('/settings/account')).text, /1 workspaceReady, \d/);
  const answer = await ana.request(`/settings/account/exports/${id}`);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/zip');
  t.regex(answer.headers.get('content-disposition')!, /^attachment; filename="stint-\d{4}-\d\d-\d\d\.zip"/);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  const folder = `${refs.id('ana-seen')} seen ana`;
  const tables = ['approvals', 'comments', 'history', 'items', 'plans', 'time', 'views', 'watches', 'webhooks'];
  t.deepEqual(
    [...files.keys()].sort(),
    [...tables.map((name) => `${folder}/${name}.csv`), `${folder}/workspace.json`, 'people.csv'].sort(),
  );
  const all = [...files.values()].join('\n');
  for (const hidden of ['my secret note', 'not for others', 'partly', 'others/']) t.false(all.includes(hidden), hidden);
  t.regex(files.get(`${folder}/items.csv`)!, /"'=HYPERLINK\(""https:\/\/evil\.example""\)","Größe 🐋\n""quoted"""/);
  t.regex(files.get(`${folder}/comments.csv`)!, /"Two",.*"It is \*\*blue\*\*\."/);
  t.regex(files.get(`${folder}/time.csv`)!, /"Minutes","Hours","Note"\r\n.*"20","0\.3333","my own words"/);
  t.false(files.get(`${folder}/time.csv`)!.includes('2026-03-03'), 'time of others needs oversight');
  t.regex(files.get(`${folder}/history.csv`)!, /^"Item","Title","Time"/);

  const again = JSON.parse(files.get(`${folder}/workspace.json`)!);
  for (const user of again.accounts[0].users) user.email = `new-${user.email}`;
  const imported = await importData(db, again);
  t.truthy(imported[`workspace-${refs.id('ana-seen')}`], 'the file can be imported');
});

test('only the person who asked can download an export, while they see all that it contains', async (t) => {
  const eve = await visitorOf('eve');
  const id = await start('eve', eve);
  await makeExport(db, id, QUOTA, signal);
  const path = `/settings/account/exports/${id}`;
  const absent = (await eve.request('/settings/account/exports/999999')).status;
  t.is((await (await visitorOf('twice')).request(path)).status, absent);
  t.is((await eve.request(path, { headers: { Range: 'bytes=0-3' } })).status, 206);
  await rows('update memberships set overrides = $2 where workspace_id = $1', [refs.id('eve-seen'), '{"goals": "none"}']);
  t.is((await eve.request(path)).status, absent);
});

test('with time oversight an export has the time of others, without their notes', async (t) => {
  const twice = await visitorOf('twice');
  await rows('update memberships set time_oversight = true where workspace_id = $1', [refs.id('twice-seen')]);
  const id = await start('twice', twice);
  await makeExport(db, id, QUOTA, signal);
  const answer = await twice.request(`/settings/account/exports/${id}`);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  const time = files.get(`${refs.id('twice-seen')} seen twice/time.csv`)!;
  for (const word of ['2026-03-03', 'my own words']) t.true(time.includes(word), word);
  for (const text of files.values()) t.false(text.includes('not for others'));
  await rows('update memberships set time_oversight = false where workspace_id = $1', [refs.id('twice-seen')]);
  t.is((await twice.request(`/settings/account/exports/${id}`)).status, 403, 'a download needs the oversight, too');
});

test('an export whose rights were lost before it was made fails, and the next one leaves that workspace out', async (t) => {
  const lost = await visitorOf('lost');
  const id = await start('lost', lost);
  await rows('delete from memberships where workspace_id = $1 and user_id = $2', [refs.id('lost-seen'), refs.id('lost')]);
  await makeExport(db, id, QUOTA, signal);
  t.regex((await lost.go('/settings/account')).text, /The export failed, because you lost access to one of its workspaces/);
  const next = await start('lost', lost);
  await makeExport(db, next, QUOTA, signal);
  t.regex((await lost.go('/settings/account')).text, /0 workspacesReady/);
});

test('an export is made once, mailed once, and its bytes go with it', async (t) => {
  const twice = await visitorOf('twice');
  const id = await start('twice', twice);
  await twice.go('/settings/account');
  t.regex((await twice.send('/exports')).text, /An export is already in progress/);
  await Promise.all([makeExport(db, id, QUOTA, signal), makeExport(db, id, QUOTA, signal)]);
  const jobs = await rows(
    `select j.payload from ${JOBS} j join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'mail_export'`,
  );
  t.deepEqual(jobs.filter(({ payload }) => payload.exportId === id).length, 1);
  const server = await mailServer(t);
  const settings = { mail: { smtpUrl: server.url, from: 'stint@work.example' }, baseUrl: web.baseUrl };
  await mailExport(db, settings, id);
  await mailExport(db, settings, id);
  t.is(server.taken.length, 1);
  const [{ blob_id: blob }] = await rows('select blob_id from data_exports where id = $1', [id]);
  await twice.go('/settings/account');
  await twice.send(`/exports/${id}/delete`);
  t.deepEqual(await rows('select id from blobs where id = $1', [blob]), []);
  t.is((await twice.request(`/settings/account/exports/${id}`)).status, 403);
});

test('an export that is aborted leaves no bytes in use, and the next attempt makes it', async (t) => {
  const stopped = await visitorOf('stopped');
  const id = await start('stopped', stopped);
  await t.throwsAsync(makeExport(db, id, QUOTA, AbortSignal.abort()));
  t.like((await rows('select state, blob_id from data_exports where id = $1', [id]))[0], { state: 'making', blob_id: null });
  await makeExport(db, id, QUOTA, signal);
  t.like((await rows('select state from data_exports where id = $1', [id]))[0], { state: 'ready' });
});

test('a person keeps one export, and one that would take more room than the files of the account may take fails, saying so', async (t) => {
  const full = await visitorOf('full');
  const first = await start('full', full);
  await makeExport(db, first, QUOTA, signal);
  const next = await start('full', full);
  await makeExport(db, next, 100, signal);
  t.regex((await full.go('/settings/account')).text, /take too much room\. Delete files or exports, then start a new one/);
  const kept = await rows('select id::int, state, reason from data_exports where user_id = $1', [refs.id('full')]);
  t.deepEqual(kept, [{ id: next, state: 'failed', reason: 'room' }]);
  t.is(
    (await rows('select bytes::int from blob_usage u join users p on p.account_id = u.account_id where p.id = $1', [refs.id('full')]))[0]
      .bytes,
    0,
  );
});

test('names in a zip have no folders, controls or reserved signs', (t) => {
  const names = { 'a/../b': 'a b', '..': 'unnamed', 'x\u202e\0y': 'x y', 'CON:?': 'CON', '': 'unnamed' };
  for (const [given, wanted] of Object.entries(names)) t.is(fileNameOf(given), wanted);
});
