/** The page "Import" over HTTP, as without script: uploads, choices and rights (behaviour §36.20–§36.28). */
import { uploadImport } from '../../../src/import/runs/imports.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { pieces } from '../../import/runs/importWorld.ts';
import { PASSWORD } from '../../support/password.ts';
import { suite } from '../../support/suite.ts';
import { runDueJobs } from '../../support/tasks.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import { signedIn, type Visitor } from '../../support/visitor.ts';
import { world as made, startWeb, type Web, type WorldRefs } from '../../support/world.ts';

const test = suite(import.meta.url);

const world = timeWorld();
let web: Web;
let refs: WorldRefs;
let address: string;
test.before('a workspace', async () => {
  const person = (ref: string, name: string) => ({ ref, email: `${ref}@acme.example`, name, password: PASSWORD });
  const members = [
    { user: 'ana', role: 'owner' as const },
    { user: 'cy', role: 'manager' as const },
  ];
  refs = await made(world.url, {
    accounts: [
      {
        name: 'Acme',
        users: [{ ...person('ana', 'Ana Lind'), accountRole: 'owner' }, person('cy', 'Cy Dahl')],
        workspaces: [{ ref: 'apollo', name: 'Apollo', members }],
      },
    ],
  });
  web = await startWeb(world.url);
  address = `/workspaces/${refs.id('apollo')}/settings/import`;
});
test.after('stop', () => web?.stop());

const enter = (who: 'ana' | 'cy') => signedIn(web.baseUrl, `${who}@acme.example`);

/** Sends the form with the file. */
async function send(visitor: Visitor, name: string, text: string): Promise<void> {
  await visitor.go(address);
  const { path, fields } = visitor.form('/upload');
  const body = new FormData();
  for (const [field, value] of fields) if (field !== 'file') body.append(field, value);
  body.append('file', new Blob([text]), name);
  await visitor.go(path, { method: 'POST', body, headers: { Origin: new URL(web.baseUrl).origin } });
}

/** Runs the jobs that the last form added, and opens the import again. */
async function finished(visitor: Visitor): Promise<Visitor['at']> {
  await runDueJobs(world);
  return visitor.go(visitor.at.path.replace(/\?.*/, ''));
}

/** Sends the form of choices, with other values for names from the file. */
async function choose(
  visitor: Visitor,
  values: Record<string, string | string[]>,
  chosen: [kind: string, name: string, to: string][] = [],
) {
  const { fields } = visitor.form('/choices');
  const lists: Record<string, string[]> = {};
  for (const [kind, name, to] of chosen) {
    lists[`${kind}To`] ??= fields.getAll(`${kind}To`);
    lists[`${kind}To`]![fields.getAll(kind).indexOf(name)] = to;
  }
  return visitor.send('/choices', { ...lists, ...values });
}

const sheet = 'Title,Assignee,Due date,Points\nPay by card,Zoe,03/04/2026,2\nRefund,max@new.example,05/06/2026,1\n';

test('a file that can not be read says what to do, and can be discarded', async (t) => {
  const ana = await enter('ana');
  await send(ana, 'shop.zip', 'PK\x03\x04 more');
  t.regex(ana.at.text, /zip or Excel file. Unpack it/);
  await send(ana, 'half.json', '[{"number": 1, "title": "Ha');
  t.regex(ana.at.text, /Reading the file. Refresh/);
  t.regex((await finished(ana)).text, /Not readable.*The JSON ends too early/);
  await ana.send('/cancel');
  t.is(ana.at.path.replace(/\?.*/, ''), address);
});

test('a manager who can not invite is offered members only, and unambiguous dates ask nothing', async (t) => {
  const cy = await enter('cy');
  await send(cy, 'sheet.csv', sheet);
  const { html } = await finished(cy);
  t.regex(html, /<select name="unknownPeople"><option value="unassigned"[^>]*>Leave all unassigned<\/option><\/select>/);
  t.notRegex(html, /aria-label="Zoe">(?:(?!<\/select>).)*Invite/s);
  t.notRegex(html, /name="personMail"/);
  t.is(html.match(/name="dateTo"/g)?.length, 1);
  t.notRegex(html, /ana@acme\.example/);
  t.notRegex(html, /Create them/);
  await choose(cy, {}, [['person', 'Zoe', String(refs.id('ana'))]]);
  t.regex((await finished(cy)).html, /<option value="\d+" selected[^>]*>Ana Lind/);
  await send(cy, 'sheet.csv', sheet.replaceAll(/(..).(..).2026/g, '2026-$2-$1'));
  t.notRegex((await finished(cy)).html, /name="dateTo"/);
});

test('people are invited, and the order of dates and the hours per point are chosen', async (t) => {
  const ana = await enter('ana');
  await send(ana, 'sheet.csv', sheet);
  t.regex((await finished(ana)).text, /Emails are not set up: after the start, create links for them on the page People/);
  const values = { hoursPerPoint: '8', unknownPeople: 'invite' };
  const choices: [string, string, string][] = [
    ['date', 'Due date', 'month-day'],
    ['person', 'Zoe', 'invite'],
  ];
  await choose(ana, values, choices);
  t.regex(ana.at.text, /Zoe: give an email address|Give an email address/i);
  await finished(ana);
  const zoe = ana.form('/choices').fields.getAll('person').indexOf('Zoe');
  const mails = ana.form('/choices').fields.getAll('personMail');
  await choose(ana, { ...values, personMail: mails.with(zoe, 'zoe@new.example') }, choices);
  const { text } = await finished(ana);
  for (const mail of ['zoe', 'max']) t.true(text.includes(`Invited: ${mail}@new.example`), mail);
  t.regex(text, /4 Mar/);
  await ana.send('/start');
  t.regex((await finished(ana)).text, /Emails are not set up\. Create links for the people.*2 items created/);
  t.regex((await ana.go(`/workspaces/${refs.id('apollo')}?q=refund`)).text, /max/i);
});

test('a new preview keeps choices about names that the page does not list, and shows labels that are left out', async (t) => {
  const statuses = Array.from({ length: 201 }, (_, n) => `Task ${n},Status ${n},${n === 0 ? 'noise' : ''}`);
  const importId = await uploadImport(
    world.db,
    { kind: 'user', userId: refs.id('ana') },
    {
      ...{ workspaceId: refs.id('apollo'), fileName: 'many.csv', quotaBytes: 1e9 },
      source: pieces(['Title,Status,Labels', ...statuses].join('\n')),
      map: ImportMap.parse({ statuses: { 'Status 200': 'in_review' }, labels: { noise: null }, hoursPerPoint: 8 }),
    },
  );
  await runDueJobs(world);
  const ana = await enter('ana');
  const { html } = await ana.go(`${address}/${importId}`);
  t.is(html.match(/name="status"/g)?.length, 200);
  const map = async () => {
    t.regex((await finished(ana)).text, /Import 201 items/);
    return (await world.rows('select map from imports where id = $1', [importId]))[0].map;
  };
  await choose(ana, {}, [['status', 'Status 0', 'in_review']]);
  const { statuses: chosen, labels, hoursPerPoint } = await map();
  t.deepEqual([chosen, labels, hoursPerPoint], [{ 'Status 200': 'in_review', 'Status 0': 'in_review' }, { noise: null }, 8]);
  await choose(ana, {}, [
    ['status', 'Status 0', ''],
    ['label', 'noise', ''],
  ]);
  const last = await map();
  t.deepEqual([last.statuses, last.labels], [{ 'Status 200': 'in_review' }, {}]);
});

test('the fourth file that is uploaded while three are being read is refused, and the page says why', async (t) => {
  const visitor = await enter('cy');
  for (let n = 0; n < 3; n++) await send(visitor, `turn${n}.csv`, 'id,title\n1,One\n');
  t.not(visitor.at.path, address);
  await send(visitor, 'turn3.csv', 'id,title\n1,One\n');
  t.is(visitor.at.status, 409);
  t.true(visitor.at.text.includes('Your last 3 files are still being read. Wait until one is ready'));
  await runDueJobs(world);
  await send(visitor, 'turn3.csv', 'id,title\n1,One\n');
  t.true(/import\/\d+$/.test(visitor.at.path));
});
