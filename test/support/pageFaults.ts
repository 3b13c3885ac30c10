/** The faults of one page, in all sizes, colours and modes with a single load: WCAG 2.2 AA as far as axe can check, nothing cut off or wider
 *  than the screen, large enough targets on a phone, a visible focus, and right-to-left titles in order. */
import type { Page } from 'playwright-core';
import { axeFaults } from './axe.ts';

/** Numbers at both ends: outside its own direction, each would be at the other side. */
export const RIGHT_TO_LEFT = '3 שפות במסך (v2)';
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1440, height: 900 };
/** 1440 px at 200 %, and a tablet held upright. */
const ZOOMED = { width: 720, height: 450 };
const TABLET = { width: 820, height: 1180 };
const MOST_BARS_PX = 120;

/** What each check sees; `seen` is true for an element that shows. */
const shared = `const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const named = (one) => one.outerHTML.slice(0, 110).replace(/\\s+/g, ' ');
const all = (selector) => [...document.querySelectorAll(selector)];`;

const WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : ['the page is ' + document.documentElement.scrollWidth + ' px wide: ' +
  all('main *').filter((one) => one.getBoundingClientRect().right > innerWidth).map(named).slice(0, 4)]`;

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

/** The parts of RIGHT_TO_LEFT keep their order, and it starts at the right of its place. */
const PLACES = '.row .t, .tile h3, h1, .tline .t, .told.ask .what > p, .found .opt > .cut, .own .name';
const TITLES = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (text) => text.data.includes(${JSON.stringify(RIGHT_TO_LEFT)}) && seen(text.parentElement) && !text.parentElement.closest('option, .vh, script, title, textarea') ? 1 : 2);
  const faults = [];
  for (let text; (text = texts.nextNode()); ) {
    const from = text.data.indexOf(${JSON.stringify(RIGHT_TO_LEFT)});
    const box = (start, end) => {
      const range = document.createRange();
      range.setStart(text, from + start);
      range.setEnd(text, from + end);
      return range.getBoundingClientRect();
    };
    const [number, word, end] = [box(0, 1), box(2, 6), box(${RIGHT_TO_LEFT.length - 3}, ${RIGHT_TO_LEFT.length - 1})];
    if (Math.abs(number.top - end.top) > 6) continue;
    if (!(number.left >= word.right - 1 && end.right <= word.left + 1)) faults.push('out of order: ' + named(text.parentElement));
    const place = text.parentElement.closest(${JSON.stringify(PLACES)});
    if (place?.textContent.trim().startsWith(${JSON.stringify(RIGHT_TO_LEFT.slice(0, 4))}) && place.getBoundingClientRect().right - number.right > 40) faults.push('starts at the left: ' + named(place));
  }
  return faults.slice(0, 6);
})()`;

/** Targets in bars and rows below 44 px either way. Visually hidden ones don't count. */
const SMALL = `all('.btn, .icon-btn, .chip, .seg a, .tabbar > *, .head summary, .row summary, .row .st-btn, .opt, .timer button')
  .filter(seen)
  .map((one) => ({ box: one.getBoundingClientRect(), html: named(one) }))
  .filter(({ box }) => box.width > 2 && box.height > 2 && box.height < 43.5)
  .map(({ box, html }) => Math.round(box.width) + ' x ' + Math.round(box.height) + ': ' + html)`;
/** The space bar does not activate a link with the role of a button. */
const FALSE_BUTTONS = `all('a[role=button]').map((one) => 'not a button: ' + named(one))`;

/** Icons whose address lacks the context path are blank. */
const BLANK_ICONS = `all('use').map((one) => one.getAttribute('href')).filter((href) => href[0] === '/' && !href.startsWith('/stint/'))`;

/** `every`: in all sizes and modes. Otherwise all rules of axe on a phone in light mode, and its rules about colours on a desktop in dark mode:
 *  a theme changes only colours (light-dark() in the sheets accepts no more). */
export async function pageFaults(page: Page, address: string, every: boolean): Promise<string[]> {
  const faults: string[] = [];
  const add = (where: string, found: string[]) => faults.push(...found.map((fault) => `${address} ${where}: ${fault}`));
  const look = async (where: string, ...checks: string[]) => {
    for (const check of checks) add(where, (await page.evaluate(`(() => { ${shared} return ${check}; })()`)) as string[]);
  };
  const axe = async (where: string, rules: 'all' | 'colours') => add(where, await axeFaults(page, rules));

  // Reduced motion: a colour during a transition would be measured.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' });
  await page.setViewportSize(PHONE);
  await page.goto(address);
  // The editor of a note takes the place of its text when its script is loaded.
  if (await page.locator('[data-writes]').count()) await page.locator('.editable').waitFor();
  await look('phone', WIDE, SMALL);
  await axe('phone', 'all');
  await page.setViewportSize(ZOOMED);
  await look('zoomed', WIDE, BARS);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(DESKTOP);
  await look('desktop', WIDE, HEADINGS, FALSE_BUTTONS, BLANK_ICONS);
  await axe('desktop, dark', every ? 'all' : 'colours');
  if (!every) return faults;

  await page.setViewportSize(TABLET);
  await look('tablet, dark', FOCUS);
  await page.emulateMedia({ colorScheme: 'light' });
  await look('tablet', WIDE, MOVING, FOCUS, TITLES);
  await axe('tablet', 'all');
  await page.emulateMedia({ forcedColors: 'active' });
  await look('tablet, forced colours', FOCUS_FORCED, FRAMES);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
  await axe('phone, dark', 'colours');
  return faults;
}
