/** The pages of absences, hours and public holidays, as a person and an administrator use them. */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
test.before('an account', async () => {
  const file = oneWorkspace(
    { members: [{ user: 'bo', role: 'member' as const }] },
    { users: [{ ref: 'bo', email: 'bo@acme.example', name: 'Bo', password: PASSWORD }] },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

test('a person adds and removes an absence; an administrator sees it without its private reason', async (t) => {
  const bo = await signedIn(web.baseUrl, 'bo@acme.example');
  await bo.go('/settings/hours');
  t.true(bo.at.text.includes('No absences yet.'));
  t.false(bo.at.text.includes('Add change'), 'members do not set hours');
  const refused = await bo.send('/settings/hours/add', { from: '2031-03-05', to: '2031-03-04', reason: 'Knee' });
  t.is(refused.status, 400);
  t.true(refused.text.includes('give a last day that is not before the first'));
  await bo.send('/settings/hours/add', { from: '2031-03-04', to: '2031-03-05', reason: 'Knee' });
  t.true(bo.at.text.includes('Knee'));

  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go(`/settings/people/${refs.id('bo')}/hours`);
  t.true(ana.at.text.includes('Private'));
  t.false(ana.at.text.includes('Knee'));
  await ana.send('/settings/hours/dated', { from: '2031-01-01', weeklyHours: '20' });
  t.true(ana.at.text.includes('20 h'));

  await ana.go(`/settings/people/${refs.id('bo')}/hours`);
  await ana.send('/settings/hours/change', { from: '2031-03-06', to: '2031-03-07' });
  t.false(ana.at.text.includes('Knee'));
  await bo.go('/settings/hours');
  t.regex(bo.at.text, /7 Mar 2031.*Knee/, 'the private reason stays');
  t.is((await bo.send('/settings/hours/change', { from: '2031-03-09', to: '2031-03-07' })).status, 400);
  await bo.send('/settings/hours/add', { from: '2031-04-01', to: '2031-04-02', reason: '' });
  await bo.send('/settings/hours/change', { from: '2031-03-31', to: '2031-04-02' }, (fields) => fields.get('reason') === 'Knee');
  t.is(bo.at.status, 409);
  t.true(bo.at.text.includes('This overlaps an absence from 2031-04-01'));
  await bo.go('/settings/hours');
  await bo.send('/settings/hours/change', { reason: 'Flu', shared: 'on' }, (fields) => fields.get('reason') === 'Knee');
  await ana.go(`/settings/people/${refs.id('bo')}/hours`);
  t.true(ana.at.text.includes('Flu'));
  const stranger = (fields: URLSearchParams) => fields.get('reason') === '';
  await bo.go('/settings/hours');
  t.is((await bo.send('/settings/hours/change', { id: '999999', from: '2031-07-01', to: '2031-07-02' }, stranger)).status, 403);
  await bo.go('/settings/hours');
  await bo.send('/settings/hours/remove');

  await bo.go('/settings/hours');
  await bo.send('/settings/hours/remove');
  t.true(bo.at.text.includes('No absences yet.'));
});

test('public holidays are shown first and count once chosen; members choose only their own', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go('/settings/holidays?region=FR');
  t.true(ana.at.text.includes('Bastille Day') || ana.at.text.includes('14 Jul'));
  await ana.send('/settings/hours/holidays');
  t.true(ana.at.text.includes('Now: France.'));
  const bo = await signedIn(web.baseUrl, 'bo@acme.example');
  await bo.go('/settings/holidays');
  t.is(bo.at.status, 403);
  await bo.go('/settings/hours');
  t.true(bo.at.text.includes('Same as the account (France)'));
  await bo.go('/settings/hours?region=nowhere');
  t.is(bo.at.status, 400);
});
