/** Capacity over HTTP, as without script: forecasts in words, weeks, scopes, files, what-if, offers, free hours in pickers (behaviour §40.3)
 *  and rights (behaviour §24). */
import { addDays } from '../../src/values/dates.ts';
import { capacityWorld, hostile, monday, nextMonday } from '../support/capacityWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

const capacity = capacityWorld();
let ana: Visitor;
let scope: string;
let offers: string;
test.before('the owner', async () => {
  const { refs, web } = capacity.now;
  ana = await signedIn(web.baseUrl, 'ana@acme.example');
  scope = `workspaceId=${refs.id('apollo')}`;
  offers = `/capacity/workspaces/${refs.id('apollo')}/tasks`;
});

const who = (name: string) => signedIn(capacity.now.web.baseUrl, `${name}@acme.example`);
const week = () => `${scope}&week=${nextMonday}&person=${capacity.now.refs.id('ana')}`;
const stored = async (ref: string) =>
  (
    await capacity.now.world.rows(
      'select assignee_id as assignee, start_date as start, due_date as due, estimated_hours as hours, version from items where id = $1',
      [capacity.now.refs.id(ref)],
    )
  )[0];
/** The part of a page between a link's text and the next. */
const hrefOf = (html: string, text: string) =>
  new RegExp(`href="/stint([^"]*)"[^>]*>(?:(?!</a>).)*${text}`).exec(html)![1]!.replaceAll('&amp;', '&');
const lines = async (path: string) => (await (await ana.request(path)).text()).trimEnd().split('\r\n');

test('while the first forecast is computed the page says so and when to retry', async (t) => {
  const { status, html, headers } = await ana.go(`/capacity?${scope}`);
  t.is(status, 503);
  t.regex(headers.get('retry-after')!, /^[1-9]\d*$/);
  t.regex(html, /<h1[^>]*>The forecast is being computed/);
  await capacity.now.compute(capacity.now.refs.id('apollo'), capacity.now.refs.id('empty'), 0);
  t.regex((await ana.go(hrefOf(html, 'Refresh'))).html, /<h1[^>]*>Capacity/);
});

test('each cell shows its load as a number, and forecasts show their target and reasons in words', async (t) => {
  const { html, text } = await ana.go(`/capacity?${scope}`);
  const [, people] = /<tbody>(.*?)<\/tbody>/s.exec(html)!;
  const [first, second] = people!.split('<tr').slice(1) as [string, string];
  t.regex(first, /Ana/);
  t.is(first.match(/class="cell[^>]*title="[^"]* of tasks, [^"]* recorded, [^"]* planned/g)?.length, 8);
  t.is(first.match(/\d %/g)?.length, 8);
  t.regex(first, /\d+:\d\d over/);
  t.regex(second, /40 h a week, not confirmed/);
  t.regex(text, /1 overloaded in the next two weeks: .*ana.* by/i);
  t.deepEqual(
    [...html.matchAll(/<details class="proj".*?<b>(\w+)/gs)].map(([, title]) => title),
    ['Launch', 'Later', 'Easy'],
    'the worst first',
  );
  t.regex(text, /Overcommitted.*\d+ days late/);
  t.true(text.includes(`Launch ${hostile}`), 'titles are shown as texts');
  const inside = async (ref: string) => ana.go(`/capacity/projects/${capacity.now.refs.id(ref)}?${scope}`);
  const launch = await inside('launch');
  t.regex(launch.text, /3 tasks forecast to finish late/);
  t.true(launch.text.includes(`Much ${hostile}`));
  t.is(hrefOf(launch.html, 'Open project'), `/workspaces/${capacity.now.refs.id('apollo')}/items/${capacity.now.refs.id('launch')}`);
  t.regex((await inside('later')).text, /1 task without an estimate: Unclear.*1 task unassigned: Nobody/);
  t.regex((await inside('easy')).text, /unconfirmed weekly hours/);
});

test('the page says what its figures count, and a project what only this workspace gives', async (t) => {
  const { world, refs, compute } = capacity.now;
  const [apollo, empty] = [refs.id('apollo'), refs.id('empty')];
  t.regex(
    (await ana.go(`/capacity?${scope}`)).text,
    /The people table counts only Apollo\. Dates of projects count all work of their people\./,
  );
  const elsewhere = await world.value(
    `insert into items (account_id, workspace_id, type, title, status, status_key, estimated_hours, assignee_id, due_date)
     select account_id, id, 'task', 'Elsewhere', 'planned', 'planned', 10, $2, $3::date from workspaces where id = $1 returning id`,
    [empty, refs.id('ana'), monday],
  );
  const again = async () => {
    await world.rows('delete from capacity_snapshots');
    await compute(apollo, empty, 0);
  };
  await again();
  const apart = /With only Apollo: ready [^,]*, \d+ days? earlier than with all work\./;
  const rita = await who('rita');
  for (const path of [`/capacity?${scope}`, `/capacity/projects/${refs.id('launch')}?${scope}`]) {
    const [ofAna, ofRita] = [(await ana.go(path)).text, (await rita.go(path)).text];
    t.regex(ofAna, apart);
    t.notRegex(ofAna, /can’t see/);
    t.regex(ofRita, apart);
    t.regex(ofRita, /Includes work that you can’t see\./);
    t.notRegex(ofRita, /Elsewhere|Empty/);
  }
  t.regex((await rita.go(`/capacity?${scope}`)).text, /count all work of their people, also work that you can’t see\./);
  t.notRegex((await ana.go('/capacity?workspaceId=0')).text, /With only/);
  t.regex(
    (await ana.go(`/capacity/what-if?${scope}&project=${refs.id('launch')}`)).text,
    /Counts only Apollo: \d+ days? earlier than with all work\./,
  );
  await world.rows('delete from items where id = $1', [elsewhere]);
  await again();
});

test('users who oversee capacity can export people and projects', async (t) => {
  const { html } = await ana.go(`/capacity?${scope}`);
  const path = hrefOf(html, 'People as CSV');
  t.is((await ana.request(path)).headers.get('content-type'), 'text/csv; charset=utf-8');
  const people = await lines(path);
  t.is(people.length, 1 + 2 * 8, 'a line for each person and week');
  t.regex(people[1]!, /^"(Ana|bo)","(10|40)","(yes|no)","\d{4}-\d\d-\d\d","\d/);
  const projects = await lines(hrefOf(html, 'Projects as CSV'));
  t.deepEqual(
    projects.slice(1).map((line) => line.split('","')[1]!.split(' ')[0]),
    ['Launch', 'Later', 'Easy'],
  );
});

test('a cell opens its parts, with links to the items', async (t) => {
  const { html } = await ana.go(`/capacity?${scope}`);
  const made = await ana.go(
    /class="cell[^"]*over[^"]*"[^>]*href="\/stint([^"]+)"|href="\/stint([^"]+)"[^>]*class="cell[^"]*over/
      .exec(html)!
      .slice(1)
      .find(Boolean)!
      .replaceAll('&amp;', '&'),
  );
  t.regex(made.text, /\d+(\.5)? h over.*Tasks.*Recorded.*None\..*Planned.*None\./);
  t.is(hrefOf(made.html, 'Much'), `/items/${capacity.now.refs.id('much')}`);
});

test('scope and weeks can be chosen, and one scope covers all workspaces', async (t) => {
  const { refs } = capacity.now;
  const empty = await ana.go(`/capacity?workspaceId=${refs.id('empty')}`);
  t.regex(empty.text, /No open releases, requirements or milestones/);
  t.notRegex(empty.text, /Other workspace/, 'all of them are offered');
  const { html } = await ana.go('/capacity/scopes?q=EMP');
  t.regex(hrefOf(html.split('id="found"')[1]!, 'Empty'), new RegExp(`workspaceId=${refs.id('empty')}&`));
  const all = await ana.go(hrefOf(empty.html, 'All my workspaces'));
  t.regex(all.html, /Launch.*?<span class="meta"[^>]*>Apollo/s, 'it says in which workspace');
  const [, project] = /data-src="\/stint([^"]+)"/.exec(all.html)!;
  t.is(hrefOf((await ana.go(project!.replaceAll('&amp;', '&'))).html, 'Much'), `/items/${refs.id('much')}`);
  const [, query] = /href="[^"?]*\?([^"]*)"[^>]*aria-label="Next week"|href="[^"?]*\?([^"]*)"[^>]*>(?:(?!<\/a>).)*Next week/.exec(
    all.html,
  )!;
  const next = new URLSearchParams(query!.replaceAll('&amp;', '&'));
  t.deepEqual([next.get('from'), next.get('workspaceId')], [nextMonday, '0']);
});

test('what-if shows effects before anything is saved, and a save of an outdated version changes nothing', async (t) => {
  const { refs } = capacity.now;
  const before = await stored('much');
  const what = `/capacity/what-if?${scope}&project=${refs.id('launch')}&e${refs.id('much')}=2`;
  const [first, late] = [await who('ana'), await who('ana')];
  const save = (one: Visitor) => one.send('/what-if', {}, (fields) => fields.has('_csrf'));
  for (const one of [first, late]) t.regex((await one.go(what)).text, /Overcommitted.*becomes/);
  t.regex(first.at.text, /Discard/);
  t.deepEqual(await stored('much'), before);
  t.regex((await save(first)).text, /Saved\./);
  t.is((await stored('much')).hours, 2);
  t.regex((await save(late)).text, /Another user changed one of these tasks\./);
  t.is((await stored('much')).version, before.version + 1);
});

test('an offered week moves a task and its dates; one that changed meanwhile is asked about again', async (t) => {
  const { refs, world } = capacity.now;
  await ana.go(`${offers}/${refs.id('moved')}/move?${week()}`);
  const before = await stored('moved');
  await world.rows('update items set version = version + 1 where id = $1', [refs.id('moved')]);
  const last = addDays(monday, 49);
  const value = `${last}..${addDays(last, 4)}`;
  t.true(ana.at.html.includes(`value="${value}"`));
  t.regex((await ana.send(`person=${refs.id('ana')}`, { value })).text, /Another user changed this task\./);
  t.is((await stored('moved')).start, before.start);
  t.regex((await ana.send(`person=${refs.id('ana')}`, { value })).html, /<h1[^>]*>Capacity/);
  t.deepEqual(await stored('moved'), { ...before, start: last, due: addDays(last, 4), version: before.version + 2 });
});

test('who may not write tasks gets no offers, and their addresses say what absent ones say', async (t) => {
  const rita = await who('rita');
  const { refs } = capacity.now;
  const shown = await rita.go(`/capacity/people/${refs.id('ana')}?${week()}`);
  t.regex(shown.text, /Given/);
  t.notRegex(shown.text, /Move to|Give to/);
  for (const task of [refs.id('given'), 987_654])
    for (const offer of ['move', 'give']) t.is((await rita.go(`${offers}/${task}/${offer}?${week()}`)).status, 403);
});

test('hostile addresses and values of offers are refused', async (t) => {
  const { refs } = capacity.now;
  t.is((await ana.go(`${offers}/${refs.id('launch')}/move?${week()}`)).status, 403, 'a release is no task');
  t.is((await ana.go(`${offers}/${refs.id('given')}/move?${scope}&week=never`)).status, 400);
  t.is((await ana.go('/capacity/what-if?workspaceId=0&project=987654')).status, 403);
  const before = await stored('given');
  for (const [offer, value] of [
    ['give', String(refs.id('rita'))],
    ['give', 'bo'],
    ['move', '2030-02-30..2030-03-01'],
    ['move', `${nextMonday}..${monday}`],
  ] as const) {
    await ana.go(`${offers}/${refs.id('given')}/${offer}?${week()}`);
    t.is((await ana.send(`person=${refs.id('ana')}`, { value })).status, 400, `${offer} ${value}`);
  }
  t.deepEqual(await stored('given'), before);
});

test('without the right to oversee there is no forecast, and invalid parameters are refused', async (t) => {
  const vic = await who('vic');
  for (const path of [
    ...['', `?${scope}`, '?workspaceId=987654', `/what-if?${scope}`, `/projects/${capacity.now.refs.id('launch')}?${scope}`],
    ...[`/people/1?${scope}&week=2026-01-05`, `/people.csv?${scope}`, `/projects.csv?${scope}`],
  ])
    t.is((await vic.go(`/capacity${path}`)).status, 403, path);
  const { text, html } = await vic.go('/capacity');
  t.regex(text, /You cannot see the capacity of any workspace/);
  t.notRegex(html, /href="[^"]*\/capacity"/, 'only who may is led there');
  for (const query of ['?workspaceId=x', '?from=2030-02-30']) t.is((await vic.go(`/capacity${query}`)).status, 400);
});

test('only those who oversee capacity get free hours, and only members of the workspace get anything', async (t) => {
  const { refs } = capacity.now;
  const [bo, vic] = [await who('bo'), await who('vic')];
  const [at, foreign, absent] = ['apollo', 'empty', ''].map((ref) => `/workspaces/${ref ? refs.id(ref) : 987_654}`);
  const [fit, goals] = [`/fit?assignee=${refs.id('ana')}&due=&hours=4`, '/find?types=goal,task&q='];
  await capacity.now.compute();
  t.regex((await ana.go(at + fit)).html, /Ana has \d[\w ]+ free until Fri /);
  t.deepEqual(JSON.parse((await bo.go(at + fit)).html), {});
  const notes = JSON.parse((await bo.go(`${at}/candidates`)).html);
  t.deepEqual(new Set(Object.keys(notes).map(Number)), new Set(['ana', 'bo'].map((ref) => refs.id(ref))));
  t.notRegex(JSON.stringify(notes), /free/);
  t.true((await bo.go(at + goals)).html.includes('Secret aim'));
  t.false((await vic.go(at + goals)).html.includes('Secret aim'));
  for (const path of [fit, goals, '/candidates']) {
    const [hidden, none] = [await bo.go(foreign + path), await bo.go(absent + path)];
    t.deepEqual([hidden.status, hidden.text.length], [none.status, none.text.length], path);
  }
});

test('pickers, the hint for a new task and "Give to…" have one count of free hours, and say until when', async (t) => {
  const { refs } = capacity.now;
  const [at, anaId] = [`/workspaces/${refs.id('apollo')}`, refs.id('ana')];
  const freeIn = (text: string) => /\d[\w ]* free until (?:\w+ ){2}\w+/.exec(text)?.[0];
  const hint = async (due: string) => freeIn((await ana.go(`${at}/fit?assignee=${anaId}&due=${due}&hours=`)).html);
  t.is(await hint(''), freeIn(JSON.parse((await ana.go(`${at}/candidates`)).html)[anaId].note));
  const last = addDays(monday, 49);
  const given = await ana.go(`${offers}/${refs.id('small')}/give?${scope}&week=${last}&person=${refs.id('bo')}`);
  // Ana has 520 h of work until next week, and 10 h a week.
  t.regex((await hint(addDays(last, 4)))!, /^0 min free until Fri /);
  t.is(freeIn(given.text), await hint(addDays(last, 4)));
});

test('malformed questions of pickers get an answer', async (t) => {
  const get = async (rest: string) => (await ana.go(`/workspaces/${capacity.now.refs.id('apollo')}/${rest}`)).status;
  const odd = ['fit?assignee=x&due=never&hours=many', 'fit?assignee=1e99', `find?types=task&q=%00%ff${'a'.repeat(5_000)}`];
  for (const rest of odd) t.is(await get(rest), 200, rest);
  for (const rest of ['find?types=secret&q=a', 'find']) t.is(await get(rest), 400, rest);
});
