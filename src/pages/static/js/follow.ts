// Live updates: fetches and morphs the parts that others changed. If the user is busy, a notice offers the update. stream.js calls this
// module.
import { isTicked, keepTyped } from './keepTyped.ts';
import { base, facts, focusedElement, make, the } from './shared.ts';

/** The data of an event of the stream. */
export interface StreamData {
  workspace?: number;
  /** Null: unknown which. */
  items?: number[] | null;
  above?: number[];
  mine?: boolean;
  files?: boolean;
  /** Of changes: the user made them. Otherwise the digest of the user's timer and notifications. */
  own?: boolean | string;
  changed?: boolean;
}

const parts = ['#timer', '#head', '.side .n[id]', '.tabbar .n[id]'];
const LATEST_MS = 15_000;
const MOST_FAILURES = 6;
let waiting: { items: Set<number>; sure: boolean } | null = null;
// Counts events: those that arrive during a request may not be in its answer.
let heard = 0;
let looking = false;
let failures = 0;
let clock = 0;
let next = 0;
let missed = false;
let pressed = false;
let box: HTMLElement | null = null;

const isAsking = () => document.querySelector('.htmx-request') !== null;

const menus = ':popover-open, dialog[open], details.pop[open], details.me[open], .ghost, .tile.picked, .tbar.moving';
function selecting(): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && the('#main').contains(selection.anchorNode);
}
const isBusy = () => isAsking() || pressed || selecting() || document.querySelector(menus) !== null || isTicked();

function isFollowed({ workspace, items = null, above = [], mine = false, files }: StreamData): boolean {
  const [place, item] = (facts().follow ?? '').split(' ');
  const shown = () => items === null || items.some((one) => document.querySelector(`#work [data-item="${one}"]`));
  if (place === 'mine') return !files && (mine || shown());
  if (Number(place) !== workspace) return false;
  if (files) return items?.includes(Number(item)) ?? false;
  return item === undefined || items === null || [...items, ...above].includes(Number(item)) || shown();
}

// `sure`: the change was made elsewhere, so the page cannot show it yet.
function note(items: readonly number[], sure: boolean): void {
  heard += 1;
  waiting ??= { items: new Set(), sure: false };
  for (const one of items) waiting.items.add(one);
  waiting.sure ||= sure && !isAsking();
  later(150 + Math.random() * 150);
}

function later(ms: number): void {
  clearTimeout(clock);
  clock = setTimeout(look, Math.max(ms, next - performance.now()));
}

const ask = (url: string, headers: Record<string, string>) =>
  fetch(url, { headers, cache: 'no-store', signal: AbortSignal.timeout(LATEST_MS) });

async function since(place: string | undefined): Promise<{ changed: boolean; own: string; place: string }> {
  const answer = await ask(`${base}/live/since?place=${place}`, {});
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`);
  return answer.json();
}

// True if the page is out of date. Otherwise its position is moved to that of the answer.
async function isBehind() {
  const { place, own } = facts();
  const found = await since(place);
  if (found.changed || found.own !== own) return true;
  if (facts().place === place) facts().place = found.place;
  return false;
}

async function look() {
  if (document.hidden) {
    missed = true;
    return;
  }
  if (!waiting) return;
  if (looking || isAsking()) return later(300);
  looking = true;
  await show().catch(again);
  looking = false;
}

async function show() {
  const before = heard;
  if (!waiting?.sure && !(await isBehind())) return done(before);
  if (waiting) waiting.sure = true;
  if (isBusy() || !(await refresh())) offer();
}

function done(before: number): void {
  if (heard === before) waiting = null;
  failures = 0;
  box?.remove();
  box = null;
}

// The service may be overloaded or offline. After MOST_FAILURES it waits for the next event.
function again() {
  failures += 1;
  if (failures > MOST_FAILURES) waiting = null;
  else later(1_000 * 2 ** failures);
}

const address = () => {
  const here = new URL(location.href);
  for (const name of ['notice', 'undo']) here.searchParams.delete(name);
  here.hash = '';
  if (facts().follow) return here.href;
  return `${base}/live/frame?at=${encodeURIComponent(here.pathname.slice(base.length) + here.search)}`;
};

// Returns false if the update cannot be shown now.
async function refresh(forced = false) {
  const [started, before, from, at] = [performance.now(), heard, facts().place, location.href];
  const answer = await ask(address(), { Accept: 'text/html', 'HX-Request': 'true' });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  // Asks a slow server less often.
  next = performance.now() + Math.min(LATEST_MS, Math.max(1_000, 10 * (performance.now() - started)));
  if (answer.status >= 500) throw new Error(`It answered ${answer.status}.`);
  const isOther = !page.getElementById('head')?.dataset.place || (facts().follow && !page.getElementById('work'));
  if (isOther && forced) location.reload();
  if (isOther) return false;
  // This page has changed meanwhile, so the answer may be too old.
  if (facts().place !== from || location.href !== at) {
    later(300);
    return true;
  }
  if (isBusy() && !forced) return false;
  const release = keepTyped(page);
  if (!release) return false;
  done(before);
  await swap(page);
  release();
  return true;
}

function put(page: Document): Promise<void> {
  const whole = facts().follow && page.getElementById('work') ? '#work' : '#timer';
  const others = [...parts, ...(whole === '#work' ? ['#beside'] : [])].filter((one) => one !== whole);
  if (whole === '#timer') {
    // /live/frame has another header: copy only its position and digest.
    Object.assign(facts(), { place: facts(page).place, own: facts(page).own });
    others.splice(others.indexOf('#head'), 1);
  }
  return htmx.swap({
    sourceElement: document.body,
    text: page.documentElement.outerHTML,
    target: whole,
    select: whole,
    swap: whole === '#timer' ? 'outerMorph ignoreTitle:true' : 'outerMorph',
    selectOOB: others.map((one) => `${one}:outerMorph`).join(','),
    following: true,
  });
}

// Keeps the focus on its item, even if the item moves.
async function swap(page: Document): Promise<void> {
  const focus = document.activeElement;
  const item = focus?.closest<HTMLElement>('#work [data-item]')?.dataset.item;
  const key = focus?.getAttribute('data-key');
  await put(page);
  if (!focus || !item || focus.matches('input, textarea')) return;
  if (focus.isConnected && focus.closest<HTMLElement>('[data-item]')?.dataset.item === item) return;
  const row = document.querySelector<HTMLElement>(`#work [data-item="${CSS.escape(item)}"]`);
  const control = key && row?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  const first = focus.matches('[data-item]') ? null : row?.querySelector<HTMLElement>('a[href], button');
  if (row) (control || first || row).focus({ preventScroll: true });
  else focusedElement()?.blur();
}

function offer() {
  const count = waiting?.items.size ?? 0;
  if (!box) {
    const press = make('button', { type: 'button', class: 'btn small' });
    press.addEventListener('click', async () => {
      if ((await refresh(true).catch(again)) === false) press.textContent = 'Finish typing first';
    });
    box = make('p', { class: 'fresh', role: 'status' }, press);
    document.body.append(box);
  }
  const text = count === 0 ? 'Show new changes' : `${count} ${count === 1 ? 'change' : 'changes'}: show`;
  if (box.textContent !== text) the('button', box).textContent = text;
  later(1_500);
}

/** Null without a signed-in user: nothing changes live. */
export const follow = facts().place
  ? {
      user: facts().user,
      place: () => facts().place,
      // Handles events from the browser's leading page.
      hear(name: string, data: StreamData) {
        if (name === 'changes' && facts().follow && isFollowed(data)) note(data.items ?? [], !data.own);
        else if (name === 'own' && data.own !== facts().own) note([], false);
        else if (name === 'check') setTimeout(note, Math.random() * 2_000, [], false);
      },
    }
  : null;

if (follow) {
  for (const name of ['pointerdown', 'pointerup', 'pointercancel'])
    document.addEventListener(name, () => (pressed = name === 'pointerdown'), true);
  document.addEventListener('dragend', () => (pressed = false), true);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    if (missed && waiting) later(0);
    else note([], false);
    missed = false;
  });
}
