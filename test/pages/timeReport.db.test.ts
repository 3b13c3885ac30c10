/** /reports/time over HTTP: visibility, and the export for spreadsheets. */
import pg from 'pg';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const formula = '=HYPERLINK("http://evil.example")';
let web: Web;
let refs: WorldRefs;
let ana: Visitor;
let bo: Visitor;

test.before('an owner and a member with recorded time', async () => {
  const file = oneWorkspace(
    { members: [{ user: 'bo', role: 'member' }], items: [{ ref: 'trap', type: 'task' as const, title: formula, fields: {} }] },
    { users: [{ ref: 'bo', email: 'bo@acme.example', name: 'Bo', password: PASSWORD }] },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  [ana, bo] = [await signedIn(web.baseUrl, 'ana@acme.example'), await signedIn(web.baseUrl, 'bo@acme.example')];
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note)
     select i.account_id, i.workspace_id, u.id, i.id, 'manual', '2026-01-05', 90, 'my own words' from items i join users u on u.account_id = i.account_id where i.id = $1`,
    [refs.id('trap')],
  );
  await client.end();
});
test.after('stop', () => web?.stop());

const span = 'from=2026-01-01&to=2026-01-31';

test("users see sums of their own time, with oversight everyone's, and only their own notes", async (t) => {
  const own = await bo.go(`/reports/time?${span}`);
  t.regex(own.text, /Recorded time\s*1 h 30 min/);
  t.true(own.text.includes(formula), 'a title is shown as it is');
  const all = await ana.go(`/reports/time?${span}&workspaceId=${refs.id('apollo')}&by=person`);
  t.regex(all.text, /Recorded time\s*3 h/);
  t.regex(all.text, /Bo\s*1:30\s*50 %/);
  t.false(all.html.includes('my own words'));
  t.is((await bo.go(`/reports/time?${span}&workspaceId=${refs.id('apollo')}`)).status, 403);
  t.is((await bo.go(`/reports/time.csv?${span}&workspaceId=${refs.id('apollo')}`)).status, 403);
  t.is((await bo.go('/reports/time?from=2026-02-30&to=2026-03-01')).status, 400);
  t.regex((await bo.go('/reports/time?from=2020-01-01&to=2020-01-31')).text, /No time recorded/);
});

test('the export opens in a spreadsheet without running anything', async (t) => {
  const file = await ana.go(`/reports/time.csv?${span}&workspaceId=${refs.id('apollo')}`);
  t.is(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(file.headers.get('content-disposition')!, /^attachment; .*time-2026-01-01-2026-01-31\.csv/);
  const lines = file.html.trim().split('\r\n');
  t.is(lines.length, 3);
  t.regex(lines[0]!, /^"Day \(UTC\)","Person"/);
  for (const line of lines.slice(1)) t.true(line.endsWith('"90","1.5"'), line);
  for (const line of lines.slice(1)) t.true(line.includes(`"'=HYPERLINK(""http://evil.example"")"`), line);
  t.false(file.html.includes('my own words'));
});

test("a calendar reads the user's plan at a secret address until it is revoked, replaced or its owner is inactive", async (t) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query(
    `insert into plan_blocks (account_id, workspace_id, user_id, item_id, state, start_local, end_local, timezone, starts_at, ends_at, note, revision)
     select i.account_id, i.workspace_id, u.id, i.id, 'scheduled', to_char(now() + interval '1 day', 'YYYY-MM-DD"T"10:00'), to_char(now() + interval '1 day', 'YYYY-MM-DD"T"11:00'), 'UTC',
       date_trunc('day', now()) + interval '34 hours', date_trunc('day', now()) + interval '35 hours', E'two lines, a comma;\na semicolon', 3
     from items i join users u on u.account_id = i.account_id and u.name = 'Bo' where i.id = $1`,
    [refs.id('trap')],
  );
  const read = (address: string) => fetch(address.replace(/^https?:\/\/[^/]+/, new URL(web.baseUrl).origin));
  const make = async (again = false) => {
    await bo.go('/my/calendar');
    const page = again ? await bo.sendSurely('/my/calendar') : await bo.send('/my/calendar');
    return /https?:\/\/[^\s"<]+\.ics/.exec(page.html)![0];
  };
  const first = await make();
  const answer = await read(first);
  t.is(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
  const text = (await answer.text()).replaceAll('\r\n ', '');
  t.regex(text, /^BEGIN:VCALENDAR\r\n/);
  t.regex(text, /\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n$/);
  t.notRegex(text, /METHOD/, 'which needs an organizer');
  t.regex(text, /SUMMARY:=HYPERLINK/);
  t.regex(text, /SEQUENCE:3\r\n/);
  t.regex(text, /DESCRIPTION:two lines\\, a comma\\;\\na semicolon\r\n/);
  t.regex(text, /DTSTART:\d{8}T100000Z\r\n/);

  const second = await make(true);
  t.is((await read(first)).status, 403, 'a new address ends the one before');
  t.is((await read(second)).status, 200);
  await client.query(`update users set active = false where name = 'Bo'`);
  t.is((await read(second)).status, 403);
  await client.query(`update users set active = true where name = 'Bo'`);
  await bo.go('/my/calendar');
  await bo.sendSurely('/my/calendar/end');
  t.is((await read(second)).status, 403);
  t.is((await read(`${web.baseUrl}/calendar/nothing.ics`)).status, 403);
});

test('a feed of very many long blocks has the 3,000 latest, each once, without cancelled ones and in plain lines', async (t) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  t.teardown(() => client.end());
  const insert = (count: number, state: string) =>
    client.query(
      `with uncounted as (select set_config('stint.restoring', 'on', true))
       insert into plan_blocks (account_id, workspace_id, user_id, item_id, state, start_local, end_local, timezone, starts_at, ends_at, note)
       select i.account_id, i.workspace_id, u.id, i.id, $3, '2026-01-01T10:00', '2026-01-01T11:00', 'UTC', now() + interval '1 hour' * n,
         now() + interval '1 hour' * (n + 1), repeat('x', 1000) || chr(8232) || 'after'
       from uncounted, items i join users u on u.account_id = i.account_id and u.name = 'Ana', generate_series(1, $2::int) n where i.id = $1`,
      [refs.id('trap'), count, state],
    );
  await insert(2_000, 'scheduled');
  await insert(1_200, 'finished');
  await insert(500, 'cancelled');
  t.teardown(() => client.query('delete from plan_blocks where user_id = (select id from users where name = $1)', ['Ana']));
  await ana.go('/my/calendar');
  const address = /https?:\/\/[^\s"<]+\.ics/.exec((await ana.send('/my/calendar')).html)![0];
  const text = await (await fetch(address.replace(/^https?:\/\/[^/]+/, new URL(web.baseUrl).origin))).text();
  const ids = text.match(/^UID:.*$/gm)!;
  t.deepEqual([ids.length, new Set(ids).size, text.match(/BEGIN:VCALENDAR/g)!.length], [3_000, 3_000, 1]);
  t.notRegex(text, /\u2028/);
  t.regex(text, /END:VCALENDAR\r\n$/);
  await ana.go('/my/calendar');
  await ana.sendSurely('/my/calendar/end');
});

test('a new calendar address asks for the password, and ends when the keys do', async (t) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query(`update sessions set created_at = now() - interval '11 minutes', confirmed_at = null
    where user_id = (select id from users where name = 'Bo')`);
  await bo.go('/my/calendar');
  await bo.send('/my/calendar');
  t.regex(bo.at.text, /Confirm your password/);
  t.notRegex(bo.at.html, /\.ics/);
  const [address] = /https?:\/\/[^\s"<]+\.ics/.exec((await bo.send('/my/calendar', { _password: PASSWORD })).html)!;
  const read = () => fetch(address.replace(/^https?:\/\/[^/]+/, new URL(web.baseUrl).origin));
  t.is((await read()).status, 200);
  await bo.go('/settings/password');
  await bo.send('/settings/password', { current: PASSWORD, password: 'blue whale over bremen', revoke: 'on' });
  t.is((await read()).status, 403);
});

test('a new calendar address has a text about calendars, not the one about keys', async (t) => {
  await ana.go('/my/calendar');
  const { text } = await ana.send('/my/calendar');
  t.regex(text, /Your calendar address/);
  t.regex(text, /add a calendar from a URL/);
  t.regex(text, /Copy the address/);
  t.notRegex(text, /\bkey\b/i);
});
