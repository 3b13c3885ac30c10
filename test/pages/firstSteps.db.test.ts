/** The owner of a new account sees the first steps until they are done or dismissed, and each of their pages links back (behaviour
 *  §22.10). */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { ownerPath, startWeb } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();

test('the first owner is guided to a workspace, people and an agent, and can dismiss the guide', async (t) => {
  const web = await startWeb(database.url);
  t.teardown(web.stop);
  const ana = new Visitor(web.baseUrl);
  await ana.go(await ownerPath(database.url));
  const typed = { account: 'Acme', name: 'Ana', email: 'ana@acme.example', timezone: 'UTC', password: PASSWORD };
  await ana.send('/welcome', typed);
  t.is(ana.at.path, '/first-run');
  await ana.go('/');
  t.regex(ana.at.text, /First steps ?0 of 3 done/);
  const back = /href="\/stint\/#first-steps"/;
  await ana.go('/workspaces');
  t.regex(ana.at.html, back);
  await ana.send('/workspaces', { name: 'Apollo' });
  t.regex((await ana.go('/')).text, /1 of 3 done.*Create a workspace: done/);
  await ana.go('/settings/people');
  t.regex(ana.at.html, back);
  await ana.send('/add', { name: 'Bo', email: 'bo@acme.example' });
  t.regex((await ana.go('/')).text, /2 of 3 done/);
  t.regex((await ana.go('/mcp-access')).html, back);

  await ana.go('/');
  await ana.send('/first-steps/dismiss');
  t.regex(ana.at.text, /Dismissed/);
  t.notRegex((await ana.go('/')).text, /First steps/);
  t.notRegex((await signedIn(web.baseUrl, 'ana@acme.example')).at.text, /First steps/);
});

test('a refused form of the first run shows its own step, with what was typed; steps go back, and unknown ones begin again', async (t) => {
  const web = await startWeb(database.url);
  t.teardown(web.stop);
  const owner = await signedIn(web.baseUrl, 'ana@acme.example');
  await owner.go('/first-run?step=people');
  t.is((await owner.send('/first-run/people', { addresses: 'not an address' })).status, 400);
  t.regex(owner.at.html, /aria-current="step">.*People<\/li>/);
  t.regex(owner.at.html, />\s*not an address<\/textarea>/);
  await owner.go('/first-run?step=task');
  t.is((await owner.send('/first-run/task', { line: 'Order paper @unknown' })).status, 400);
  t.regex(owner.at.html, /aria-current="step">.*First task<\/li>/);

  const title = async (query: string) => /<title>(.*) · Stint</.exec((await owner.go(`/first-run?${query}`)).html)?.[1];
  t.is(await title('step=task&in=987654'), 'Create a workspace');
  t.is(await title('step=odd'), 'Who works in Apollo?');
  const back = /href="\/stint([^"]*)"[^>]*>(?:(?!<a ).)*Back/s.exec(owner.at.html.split('form-foot')[1]!)![1]!;
  t.regex((await owner.go(back.replaceAll('&amp;', '&'))).html, /<title>Create a workspace/);
});
