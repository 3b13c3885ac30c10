/** Every page of the table on a tablet, zoomed to 200 %, with reduced motion and forced colours, and with right-to-left titles. EVERY_PAGE=/my
 *  checks only addresses that contain it. */
import type { Page } from 'playwright-core';
import { axeFaults } from '../support/axe.ts';
import { fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { samplePages } from '../support/samplePages.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
/** Numbers at both ends: outside its own direction, each would be at the other side. */
const TITLE = '3 שפות במסך (v2)';
const sample = samplePages(database, async (fixtures, workspaceId) => {
  await fixtures.sql('update items set title = $1 where workspace_id = $2', [TITLE, workspaceId]);
  await fixtures.sql(
    `insert into notifications (account_id, workspace_id, user_id, kind, item_id, due_on, due_at)
     select account_id, workspace_id, (select min(id) from users), 'overdue', id, current_date - 1, now() from items where workspace_id = $1 limit 1`,
    [workspaceId],
  );
});

/** 1440 px at 200 %, and a tablet held upright. */
const ZOOMED = { width: 720, height: 450 };
const TABLET = { width: 820, height: 1180 };
const MOST_BARS_PX = 120;

/** What each check sees; `seen` is true for an element that shows. */
const shared = `const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const named = (one) => one.outerHTML.slice(0, 110).replace(/\\s+/g, ' ');
const all = (selector) => [...document.querySelectorAll(selector)];`;

const WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : ['the page is ' + document.documentElement.scrollWidth + ' px wide: ' +
  all('main *').filter((one) => one.getBoundingClientRect().right > innerWidth).map(named).slice(0, 3)]`;

/** Rows of content behind bars that stay while the page scrolls. An open dialog is what the user reads, not a bar. */
const BARS = `(() => {
  scrollTo(0, document.documentElement.scrollHeight / 2);
  const bars = all('body *').filter((one) => {
    const { position, top } = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    if (!['fixed', 'sticky'].includes(position) || !seen(one) || box.width < innerWidth / 2 || box.bottom <= 0 || box.top >= innerHeight) return false;
    if (one.matches('dialog[open]')) return false;
    return position === 'fixed' || box.top <= parseFloat(top) + 1 || box.bottom >= innerHeight - 100;
  });
  const height = bars.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0);
  scrollTo(0, 0);
  return height > ${MOST_BARS_PX} ? [Math.round(height) + ' px of bars: ' + bars.map(named)] : [];
})()`;

const HEADINGS = `(() => {
  const heads = all('main :is(h1, h2, h3, h4, h5, h6)').filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const level = (one) => Number(one.tagName[1]);
  const faults = heads.filter((one, at) => at > 0 && level(one) > level(heads[at - 1]) + 1).map((one) => 'skips a level: ' + named(one));
  if (heads.length === 0 || level(heads[0]) !== 1 || all('h1').filter(seen).length !== 1) faults.push('starts not with one h1: ' + heads.map(named)[0]);
  return faults;
})()`;

const MOVING = `all('*').flatMap((one) => ['', '::before', '::after'].flatMap((part) => {
  const { transitionDuration, animationDuration, animationName } = getComputedStyle(one, part);
  const seconds = Math.max(...transitionDuration.split(', ').map(parseFloat), animationName === 'none' ? 0 : Math.max(...animationDuration.split(', ').map(parseFloat)));
  return seconds > 0.001 ? ['moves for ' + seconds + ' s: ' + named(one) + part] : [];
})).slice(0, 4)`;

/** One of each kind of control: its outline, or that of its box, differs while it has the focus. Scripts do not see it. */
const focus = (frames: string, caret = '') => `(() => {
  const quiet = (event) => event.stopImmediatePropagation();
  for (const kind of ['focus', 'blur', 'focusin', 'focusout']) addEventListener(kind, quiet, true);
  const around = '.composer, .tabs label, .tg, .seg3 label, .toggle, .quick-line, .crumbs, .compose .cells label, .dropzone, .writing, label';
  const looks = (one) => [one, one.closest(around)].filter(Boolean).flatMap((at) => ['', '::before', '::after'].map((part) => {
    const s = getComputedStyle(at, part);
    const ring = s.outlineStyle === 'none' || s.outlineWidth === '0px' ? '' : [s.outlineStyle, s.outlineWidth, s.outlineColor].join(' ');
    return [ring, ${frames}].join();
  })).join(';');
  const kinds = new Map();
  for (const one of all('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"], [contenteditable]'))
    if (seen(one) && !one.disabled && !one.matches('.skip, .vh${caret}')) {
      const kind = [one.tagName, one.type, one.className, one.parentElement.className, one.hasAttribute('aria-current')].join();
      if (!kinds.has(kind)) kinds.set(kind, one);
    }
  document.activeElement?.blur();
  const faults = [];
  for (const one of kinds.values()) {
    const before = looks(one);
    one.focus({ preventScroll: true, focusVisible: true });
    if (document.activeElement === one && looks(one) === before) faults.push('no visible focus: ' + named(one));
    one.blur();
  }
  for (const kind of ['focus', 'blur', 'focusin', 'focusout']) removeEventListener(kind, quiet, true);
  return faults.slice(0, 6);
})()`;
const FOCUS = focus('s.boxShadow, s.borderTopColor, s.borderTopWidth', ', .compose .texts *, .writing .editable');
/** Forced colours remove shadows and colours. */
const FOCUS_FORCED = focus('s.borderTopWidth');

/** Cells, chips and bars are frames or shapes in system colours, not backgrounds. */
const FRAMES = `all('.cell, .chip, .btn, .label, .badge, .due.late, .due.today, .prog, .tile, .input, .st, .prio, .ring').filter(seen).filter((one) => {
  const s = getComputedStyle(one);
  if (s.borderTopStyle !== 'none' && parseFloat(s.borderTopWidth) >= 1 && s.borderTopColor !== 'rgba(0, 0, 0, 0)') return false;
  if (one.closest('.btn.quiet, .quick-line, .find, .row.new, .toolbar') || one.matches('.btn.quiet')) return false;
  return ![one, ...one.querySelectorAll('*')].some((shape) => shape instanceof SVGElement && !['none', 'rgba(0, 0, 0, 0)'].includes(getComputedStyle(shape).stroke));
}).map((one) => 'without frame: ' + named(one)).slice(0, 4)`;

/** The parts of the title keep their order, and it starts at the right of its place. */
const PLACES = '.row .t, .tile h3, h1, .tline .t, .told.ask .what > p, .found .opt > .cut, .own .name';
const TITLES = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (text) => text.data.includes(${JSON.stringify(TITLE)}) && seen(text.parentElement) && !text.parentElement.closest('option, .vh, script, title, textarea') ? 1 : 2);
  const faults = [];
  for (let text; (text = texts.nextNode()); ) {
    const from = text.data.indexOf(${JSON.stringify(TITLE)});
    const box = (start, end) => {
      const range = document.createRange();
      range.setStart(text, from + start);
      range.setEnd(text, from + end);
      return range.getBoundingClientRect();
    };
    const [number, word, end] = [box(0, 1), box(2, 6), box(${TITLE.length - 3}, ${TITLE.length - 1})];
    if (Math.abs(number.top - end.top) > 6) continue;
    if (!(number.left >= word.right - 1 && end.right <= word.left + 1)) faults.push('out of order: ' + named(text.parentElement));
    const place = text.parentElement.closest(${JSON.stringify(PLACES)});
    if (place?.textContent.trim().startsWith(${JSON.stringify(TITLE.slice(0, 4))}) && place.getBoundingClientRect().right - number.right > 40) faults.push('starts at the left: ' + named(place));
  }
  return faults.slice(0, 6);
})()`;

/** Others look like on a phone, where everyPage.browser.test.ts runs axe. A thorough run checks all. */
const ownTabletLayout = /^\/$|timesheet|month|notes$|reports|\/workspaces$|view=|\/(members|statuses|sessions|keys)$/;

const look = async (page: Page, check: string): Promise<string[]> =>
  (await page.evaluate(`(() => { ${shared} return ${check}; })()`)) as string[];

async function faultsAt(page: Page, address: string): Promise<string[]> {
  const faults: string[] = [];
  const found = async (where: string, ...checks: string[]) => {
    for (const check of checks) faults.push(...(await look(page, check)).map((fault) => `${address} ${where}: ${fault}`));
  };
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' });
  await page.setViewportSize(ZOOMED);
  await page.goto(sample.now.web.baseUrl + address);
  // The editor of a note takes the place of its text when its script is loaded.
  if (await page.locator('[data-writes]').count()) await page.locator('.editable').waitFor();
  await found('zoomed', WIDE, BARS);
  await page.setViewportSize(TABLET);
  await found('tablet', WIDE, HEADINGS, MOVING, FOCUS, TITLES);
  if (isThorough || ownTabletLayout.test(address)) faults.push(...(await axeFaults(page)).map((fault) => `${address} tablet: ${fault}`));
  await page.emulateMedia({ colorScheme: 'dark' });
  await found('tablet, dark', FOCUS);
  await page.emulateMedia({ forcedColors: 'active' });
  await found('tablet, forced colours', FOCUS_FORCED, FRAMES);
  return faults;
}

test('every page keeps its content, order and focus at 200 % zoom, on a tablet, in forced colours and with right-to-left titles', async (t) => {
  t.timeout(600_000);
  const page = await browser.page(t);
  const { web, who, addresses } = sample.now;
  const only = process.env.EVERY_PAGE ?? '';
  const faults: string[] = [];
  for (const address of ['/sign-in', '/forgotten', '/nowhere']) faults.push(...(await faultsAt(page, address)));
  await signIn(page, web.baseUrl, who.email, who.password);
  const search = `/search?q=${encodeURIComponent('שפות')}`;
  for (const address of [...addresses, search].filter((one) => one.includes(only))) faults.push(...(await faultsAt(page, address)));
  t.deepEqual(faults, []);
});
