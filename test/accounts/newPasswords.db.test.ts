/** Every way to set a password needs at least ten characters and rejects what is easy to guess, also from personal details (behaviour
 *  §12.11). */
import { requireStrong } from '../../src/accounts/password.ts';
import { sampleFile } from '../../src/sample/data.ts';
import { newPassword } from '../../src/sample/load.ts';
import { InvalidRequest } from '../../src/values/errors.ts';
import { stintHere, stintOn } from '../support/cli.ts';
import { fileDatabase, freshDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { oneWorkspace, ownerPath, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
test.before('an account', async () => {
  const file = oneWorkspace({}, { users: [{ ref: 'guest', email: 'guest@acme.example', name: 'Guest' }] });
  Object.assign(file.accounts[0]!, { name: 'Northern Lights' });
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana.lindqvist@acme.example', password: PASSWORD, name: 'Ana Lindqvist' });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

const short = 'x7!kQ9#wz';
const common = 'password1234';
const tooShort = /give at least 10 characters/;
const tooEasy = /is easy to guess/;

test('passwords: the first account rejects short and common ones, and ones made of its own name', async (t) => {
  const url = await freshDatabase(t);
  const fresh = await startWeb(url);
  t.teardown(fresh.stop);
  const visitor = new Visitor(fresh.baseUrl);
  await visitor.go(await ownerPath(url));
  const values = { account: 'Northern Lights', name: 'Ana Lindqvist', email: 'ana@north.example' };
  for (const [password, why] of [
    [short, tooShort],
    [common, tooEasy],
    ['northernlights', tooEasy],
    ['AnaLindqvist1', tooEasy],
  ] as const) {
    const shown = await visitor.send('/welcome', { ...values, password });
    t.is(shown.status, 400, password);
    t.regex(shown.text, why, password);
  }
  t.regex((await visitor.send('/welcome', { ...values, password: PASSWORD })).text, /Name of the workspace/);
});

test('passwords: invitation, reset link and change reject easily guessed ones', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana.lindqvist@acme.example');
  const link = async () => {
    await ana.go(`/settings/people/${refs.id('guest')}`);
    await ana.send('/invite');
    if (ana.at.text.includes('Are you sure?')) await ana.send('/invite');
    return /\/invitation\?i=\d+&t=[\w-]+/.exec(ana.at.text)![0];
  };
  const guest = new Visitor(web.baseUrl);
  for (const accepted of [PASSWORD, `${PASSWORD} again`]) {
    await guest.go(await link());
    for (const [password, why] of [
      [short, tooShort],
      [common, tooEasy],
      ['northern lights', tooEasy],
    ] as const) {
      t.regex((await guest.send('/invitation', { password })).text, why, password);
    }
    t.regex((await guest.send('/invitation', { password: accepted })).text, /GuestYour account/);
  }
  await guest.go('/settings/password');
  for (const [password, why] of [
    [short, tooShort],
    [common, tooEasy],
    ['guest@acme.example', tooEasy],
  ] as const) {
    t.regex((await guest.send('/settings/password', { current: `${PASSWORD} again`, password })).text, why, password);
  }
});

test('passwords: the command line and an import reject easily guessed ones and write nothing', async (t) => {
  const url = await freshDatabase(t);
  const stint = stintOn(() => url);
  const { id } = await stint('account create --name Northern_Lights');
  const create = ['user', 'create', '--account', String(id), '--email', 'bo@north.example', '--name', 'Bo Madsen', '--password', '-'];
  for (const [password, why] of [
    ['x', tooShort],
    [short, tooShort],
    [common, tooEasy],
    ['northernlights', tooEasy],
  ] as const) {
    const refused = await stintHere(url, create, { input: `${password}\n` });
    t.is(refused.code, 1, password);
    t.regex(refused.stderr, why, password);
  }
  t.is((await stint(`user list --account ${id}`)).users.length, 0);
  for (const [password, why] of [
    [short, /accounts\[0\]\.users\[1\]\.password: give at least 10 characters/],
    ['Bo.Madsen1', /accounts\[0\]\.users\[1\]\.password: is easy to guess/],
  ] as const) {
    const file = oneWorkspace({}, { users: [{ email: 'bo.madsen@north.example', name: 'Bo Madsen', password }] });
    await t.throwsAsync(world(url, file), { message: why }, password);
  }
  t.is((await stintHere(url, create, { input: `${PASSWORD}\n` })).code, 0);
});

test("passwords: the sample's passwords follow the rule", async (t) => {
  for (const { name, users } of sampleFile('2026-03-02', newPassword()).accounts)
    for (const user of users!.filter(({ password }) => password))
      await t.notThrowsAsync(requireStrong(user.password!, [name!, user.name, user.email], []), user.email);
});

// Serial: concurrent tests would block the event loop as well.
test('passwords: checking hostile text does not block the event loop', async (t) => {
  let turns = 0;
  const pulse = setInterval(() => turns++, 1);
  const hostile = ['4@8({[<369&#!1/|0$5+7%2/'.repeat(42), 'aA1!'.repeat(256), 'ä'.repeat(512)];
  const judged = await Promise.allSettled(hostile.map((password) => requireStrong(password, ['Ana'], [])));
  clearInterval(pulse);
  t.true(turns > 10, String(turns));
  for (const one of judged) if (one.status === 'rejected') t.true(one.reason instanceof InvalidRequest, String(one.reason));
});
