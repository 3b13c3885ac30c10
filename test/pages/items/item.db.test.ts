/** An item's page over HTTP without script: content and actions for each reader, and time (behaviour §21). */
import { fileDatabase } from '../../support/database.ts';
import { suite } from '../../support/suite.ts';
import { signedIn, type Visitor } from '../../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
let mia: Visitor;
let vic: Visitor;
test.before('a release with work', async () => {
  work = await workWorld(database.url, {
    items: [
      {
        ref: 'release',
        type: 'release',
        title: 'Summer',
        ownerId: { ref: 'max' },
        fields: { versionLabel: '2.0', targetDate: '2031-05-01' },
      },
      {
        ref: 'requirement',
        type: 'requirement',
        title: 'Sails',
        fields: { releaseId: { ref: 'release' }, reach: 100, impact: 2, confidence: 50, effort: 5 },
      },
      {
        ref: 'task',
        type: 'task',
        title: 'Sew',
        fields: {
          requirementId: { ref: 'requirement' },
          estimatedHours: 10,
          progressPercent: 25,
          assigneeId: { ref: 'mia' },
          acceptance: '- holds\n- *dries*',
        },
      },
      {
        ref: 'late',
        type: 'task',
        title: 'Measure',
        status: 'blocked',
        fields: { requirementId: { ref: 'requirement' }, dueDate: '2020-01-02', blockedReason: 'No tape' },
      },
      { ref: 'goal', type: 'goal', title: 'Sail more', fields: { target: 40, current: 10, unit: 'days' } },
    ],
  });
  [mia, vic] = (await Promise.all([signedIn(work.web.baseUrl, emailOf('mia')), signedIn(work.web.baseUrl, emailOf('vic'))])) as [
    Visitor,
    Visitor,
  ];
});
test.after('stop', () => work?.stop());

const at = (ref: string) => work.item(ref).slice(work.web.baseUrl.length);
const words = (html: string) =>
  html
    .replace(/<(svg|title)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
const part = (html: string, id: string) => html.split(id)[1]?.split('</section>')[0] ?? '';
const panel = (html: string) => words(html.split('<aside class="panel"')[1] ?? '');

test("the page title is the item's title; texts are Markdown; parents are linked", async (t) => {
  const { html } = await mia.go(at('task'));
  t.regex(html, /<title>Sew · Stint<\/title>/);
  t.regex(html, new RegExp(`<span class="here">Task ${work.refs.id('task')}</span>`));
  t.regex(html, new RegExp(`Task of <a href="[^"]*/items/${work.refs.id('requirement')}">Sails</a>`));
  t.regex(html, /Acceptance criteria<\/h2>.*<li>holds<\/li>\s*<li><em>dries<\/em><\/li>/s);
});

test('descendants have progress and obstacles, and link to their edit pages', async (t) => {
  const { html } = await mia.go(at('release'));
  const below = part(html, 'id="below"');
  t.regex(words(below), /Subitems 2 h 30 min of 10 h done · 25 % Requirement Task/);
  const rows = [...below.matchAll(/<li class="row([^"]*)" data-item="(\d+)"/g)].map(([, kind, id]) => [kind!.trim(), Number(id)]);
  t.deepEqual(rows, [
    ['', work.refs.id('requirement')],
    ['child', work.refs.id('late')],
    ['child', work.refs.id('task')],
  ]);
  t.regex(words(below), /Measure No tape/);
  t.regex(below, /aria-label="Change due date of [^"]*: Overdue: [\d,]+ days late"/);
  t.regex(words(below), /2 h 30 min of 10 h/);
  const status = `/items/${work.refs.id('task')}/change/status`;
  t.true(below.includes(`${status}"`));
  await mia.follow(at('task') + status.slice(status.indexOf('/change')));
  t.is(mia.form('/change/status').fields.get('back'), at('release'));
  const seen = (await vic.go(at('release'))).html;
  t.notRegex(seen, /\/change\/|\/edit["?#]|name="body"|timer\/start|type=task&amp;releaseId/);
  t.regex(words(part(seen, 'id="below"')), /Measure No tape/);
});

test("properties, the score and a goal's measure are in the sidebar", async (t) => {
  t.regex(panel((await mia.go(at('release'))).html), /Owner .*Max .*Target .*1 May 2031 in [\d,]+ days .*Version .*2\.0/);
  t.regex(
    panel((await mia.go(at('requirement'))).html),
    /RICE score 20 first of 1 in this workspace Reach 100 Impact × 2 Confidence × 50 % Effort ÷ 5 .*Release .*Summer|Release .*Summer .*RICE score 20 first of 1/,
  );
  t.regex(panel((await mia.go(at('goal'))).html), /Measure .*10 of 40 days/);
  t.regex((await vic.go(at('goal'))).html, /aria-label="10 of 40 days"/);
});

test('a quick line records past time or plans future time, and keeps what it does not understand', async (t) => {
  await mia.go(at('task'));
  for (const [line, fault] of [
    ['soon', /Type a duration or a start and end/],
    ['30m on #1', /This line names #1. Open that item/],
    ['25h', /1440|24 hours/],
  ] as const) {
    const refused = await mia.send('/log', { line });
    t.is(refused.status, 400, line);
    t.regex(words(refused.html), fault);
    t.regex(refused.html, /<details class="fold" id="log-time" open>/);
    t.is(mia.form('/log').fields.get('line'), line);
  }
  const logged = await mia.send('/log', { line: '1h30: cut the cloth' });
  t.regex(words(logged.html), /Logged 1 h 30 min on 3 Sew ?, today/);
  t.is(logged.path.split('?')[0], at('task'));
  t.regex(panel(logged.html), /Recorded 1 h 30 min of 10 h/);
  t.regex(panel((await mia.send('/log', { line: '9-11 tomorrow' })).html), /Planned by you 2 h, Tomorrow 09:00/);
  const past = await mia.send('/log', { line: '9-9:30 yesterday' });
  t.regex(panel(past.html), /Recorded 2 h of 10 h/);
  t.regex(panel((await mia.go(at('release'))).html), /Recorded 2 h of 10 h .*Planned by you 2 h/, 'including descendants');
  t.regex(panel((await vic.go(at('task'))).html), /Recorded 2 h of 10 h/, 'it is the progress of the estimate');
  t.notRegex(panel((await vic.go(at('task'))).html), /Planned by|Log time|By you/);
  const notes = await mia.go('/my');
  t.regex(words(notes.html), /cut the cloth/);
});

test('a block is planned by its times, and the timer starts and stops in place', async (t) => {
  await mia.go(at('late'));
  const refused = await mia.send('/plan', { startLocal: '2031-03-03T10:00', endLocal: '2031-03-03T09:00' });
  t.is(refused.status, 400);
  t.regex(refused.html, /<details class="fold" id="plan-time" open>/);
  t.is(mia.form('/plan').fields.get('endLocal'), '2031-03-03T09:00');
  t.regex(panel((await mia.send('/plan', { endLocal: '2031-03-03T10:45' })).html), /Planned by you 45 min, 3 Mar 2031/);
  const started = await mia.send('/timer/start');
  t.is(started.path.split('?')[0], at('late'));
  t.regex(panel(started.html), /Stop timer/);
  t.regex(panel((await mia.go(at('task'))).html), /Your timer is running on another item/);
  await mia.go(at('late'));
  t.regex(panel((await mia.send('/timer/stop')).html), /Start timer/);
});

test('an item opened from a list has its position, links to its neighbours and both ends, and a link back to the same list', async (t) => {
  const query = 'status=all&group=none&sort=-id';
  const list = await mia.go(`/workspaces/${work.refs.id('apollo')}?${query}`);
  const links = [...list.html.matchAll(/<div class="t"><a href="[^"]*(\/workspaces\/\d+\/items\/(\d+)\?in=[^"]*)"/g)];
  t.is(links.length, 2);
  const [first, second] = links.map(([, href, id]) => ({ href: href!.replaceAll('&amp;', '&'), id }));
  const page = await mia.go(first!.href);
  t.regex(page.html, /<span class="at-wide">1 of 2<\/span>/);
  const hrefOf = (html: string, label: string) => {
    const link = new RegExp(`<a class="icon-btn[^>]*href="[^"]*(/workspaces/[^"]*)"[^>]*aria-label="${label} task"`).exec(html);
    return link ? link[1]!.replaceAll('&amp;', '&') : undefined;
  };
  t.is(hrefOf(page.html, 'Previous'), undefined, 'the first has no predecessor');
  const next = await mia.go(hrefOf(page.html, 'Next')!);
  t.regex(next.path, new RegExp(`/items/${second!.id}\\?in=.*&n=2&of=2$`));
  t.regex(next.html, /2 of 2/);
  t.regex(next.html, /href="[^"]*\?(?:[^"]*&amp;)?status=all[^"]*">Tasks<\/a>/, 'the list has the same filters');
  t.regex((await mia.go(hrefOf(next.html, 'Previous')!)).path, new RegExp(`/items/${first!.id}\\?`));
  await mia.go(second!.href);
  t.regex((await mia.go(hrefOf(mia.at.html, 'Next')!)).path, /^\/workspaces\/\d+\?/, 'the list follows the last');
  // Actions on the page keep the list.
  await mia.go(first!.href);
  t.regex((await mia.send('/comments', { body: 'Seen' })).path, /\?in=.*&n=1&of=2/);
  t.notRegex((await mia.go(at('task'))).html, /Next task|Previous task/);
});

test('an item can be added below it in one line', async (t) => {
  await mia.go(at('requirement'));
  const added = await mia.send('/quick', { line: 'Oil the winch 2h' });
  t.is(added.path.split('?')[0], at('requirement'));
  t.regex(words(part(added.html, 'id="below"')), /Oil the winch .*2 h/);
  t.notRegex((await vic.go(at('requirement'))).html, /\/quick"/);
});

const REHEARSE = { title: 'Rehearse', description: '\r\nFirst line empty\r\n  indented' };

/** Saves a task. Returns the path of its page. */
async function rehearse(): Promise<string> {
  await mia.go(`/workspaces/${work.refs.id('apollo')}/new?type=task`);
  return (await mia.send('/items', { ...REHEARSE, requirementId: String(work.refs.id('requirement')) })).path.split('?')[0]!;
}

test("a task's form has the fields that apply; faulty fields are not collapsed, and typed values stay", async (t) => {
  const made = { ...REHEARSE, assigneeId: String(work.refs.id('mia')) };
  const folded = (open: string) => new RegExp(`<details class="more-fields"${open}><summary>(?:(?!</details>).)*name="startDate"`, 's');
  const { html } = await mia.go(`/workspaces/${work.refs.id('apollo')}/new?type=task`);
  t.false(html.includes('name="reach"'));
  t.regex(html, folded(''));
  const dates = { startDate: '2026-03-09', dueDate: '2026-03-02' };
  const refused = await mia.send('/items', { ...made, ...dates, requirementId: String(work.refs.id('requirement')) });
  t.is(refused.status, 400);
  t.regex(refused.text, /Start date: must not be after Due date\./);
  t.regex(refused.html, folded(' open'));
  t.is(mia.form('/items').fields.get('description')!.replaceAll('\r\n', '\n'), '\nFirst line empty\n  indented');
  const created = await mia.send('/items', { dueDate: '2026-03-20' });
  t.regex(created.text, /Rehearse created/);
  t.regex(panel(created.html), /Mia/);
  const days = [...created.html.split('<aside class="panel"')[1]!.matchAll(/<time datetime="(2026-03[^"]*)"/g)].map(([, day]) => day);
  t.deepEqual(days, ['2026-03-09', '2026-03-20']);
  t.regex(created.html, /<p>First line empty(<br>)?\s*indented<\/p>/);
});

test('without script the form for a new item is a page: type and workspace change, the title stays as typed, and "Create another" returns to it', async (t) => {
  const ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  const title = () => /<h1[^>]*>([^<]*)/.exec(ana.at.html)![1];
  await ana.go('/new?type=goal');
  t.is(title(), 'New goal');
  t.regex(ana.at.html, /<noscript><button[^>]*>Change/);
  const { fields } = ana.form('/new');
  fields.set('type', 'task');
  await ana.go(`/new?${fields}`);
  t.is(title(), 'New task');
  const { text, path } = await ana.send('/items', { title: 'Words stay as typed 4h', another: 'yes' });
  t.regex(text, /Words stay as typed 4h created/);
  t.is(path.replace(/\?.*/, ''), `/workspaces/${work.refs.id('apollo')}/new`);
});

test('an edited item is saved and shown in its place', async (t) => {
  const path = await rehearse();
  await mia.go(`${path}/edit`);
  t.is(mia.form('/edit').fields.get('description')!.replaceAll('\r\n', '\n'), '\nFirst line empty\n  indented');
  const saved = await mia.send('/edit', { statusKey: 'blocked', blockedReason: 'Rain' });
  t.regex(saved.text, /Rehearse .*Blocked/);
  t.regex(panel(saved.html), /Blocked.*Rain/);
  t.regex((await mia.go(at('requirement'))).html, new RegExp(`<a href="[^"]*${path}[^"]*"[^>]*>Rehearse</a>`));
});

test('a comment is Markdown', async (t) => {
  await mia.go(await rehearse());
  const { text, html } = await mia.send('/comments', { body: 'No script **here**' });
  t.regex(text, /No script here/);
  t.regex(html, /No script <strong>here<\/strong>/);
});

test('a comment of spaces and invisible characters is refused on the page', async (t) => {
  await mia.go(await rehearse());
  const { text, html } = await mia.send('/comments', { body: ' \u200b\r\n ' });
  t.regex(text, /give at least one character that can be seen/i);
  t.regex(html, /<textarea[^>]*name="body"[^>]* aria-invalid="true"/);
});

test('a form sent twice, from two pages, changes once without a conflict', async (t) => {
  const edit = `${at('requirement')}/edit`;
  const forms = [];
  for (const _page of [1, 2]) {
    await mia.go(edit);
    forms.push(mia.form('/edit'));
  }
  for (const { path, fields } of forms) {
    fields.set('acceptance', 'Opens in the aeroplane');
    t.regex((await mia.post(path, fields)).text, /Saved\.|updated/);
  }
});

test('a viewer can read, and has no actions that change', async (t) => {
  const { html } = await vic.go(at('requirement'));
  const main = html.split('<main')[1]!.split('</main>')[0]!;
  const forms = [...main.matchAll(/<form[^>]*action="([^"]*)"/g)].map(([, action]) => action!);
  // Watching and favorites do not change the item.
  t.deepEqual(
    forms.filter((action) => !/\/(?:watch|favorites)$/.test(action)),
    [],
  );
  t.false(html.includes('/edit"'));
  t.is((await vic.go(`${at('requirement')}/edit`)).status, 403);
  t.is((await vic.go(`/workspaces/${work.refs.id('apollo')}/new?type=task`)).status, 403);
});

test('an item is archived after a confirmation, and restored', async (t) => {
  const ana = await signedIn(work.web.baseUrl, emailOf('ana'));
  const path = await rehearse();
  await ana.go(path);
  t.regex((await ana.sendSurely('/archive')).text, /Rehearse archived/);
  const archived = await ana.go(path);
  t.regex(archived.text, /This task was archived by Ana/);
  t.false(archived.html.includes('/edit"'));
  await ana.send('/restore');
  t.true((await ana.go(path)).html.includes('/edit"'));
});
