/** A real browser for tests of the pages.
 *
 *  ```ts
 *  const browser = fileBrowser();
 *  test('…', async (t) => {
 *    const page = await browser.page(t);
 *    await openAs(page, web.baseUrl, 'ana@acme.example', `${web.baseUrl}/settings/people`);
 *    await expectAccessible(t, page);
 *  });
 *  ```
 *
 *  Each `page` is a profile of its own. Its test fails when the page broke its content security policy, threw in a script, or asked
 *  another host for anything. */
import { type ExecutionContext, registerCompletionHandler } from 'ava';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { axeFaults } from './axe.ts';
import { launchChromium } from './chromium.ts';
import { eventually } from './eventually.ts';
import { PASSWORD } from './password.ts';
import { currentSuite } from './suite.ts';
import { isThorough } from './thorough.ts';
import { Visitor } from './visitor.ts';

/** Longest acceptable wait on a busy machine. */
const PATIENCE_MS = 60_000;

export interface FileBrowser {
  page(t: Test, options?: BrowserContextOptions): Promise<Page>;
  /** One page for all tests of the file: a separate profile costs as much as a short test. */
  shared(t: ExecutionContext): Promise<Page>;
}

let browser: Promise<Browser> | undefined;
/** Starting a browser costs as much CPU as a test, so a process has one. */
const browserOfProcess = () => (browser ??= launchChromium());
registerCompletionHandler(async () => (await browser)?.close());

/** Pages for the tests of a file: call it at the top level of the file. */
export function fileBrowser(): FileBrowser {
  let common: Watched | undefined;
  currentSuite().after('close the common page', () => common?.page.context().close());
  return {
    async page(t, options = {}) {
      const { page, faults } = await watched(options);
      t.teardown(async () => {
        await page.context().close();
        tell(faults);
      });
      return page;
    },
    async shared(t) {
      common ??= await watched({});
      const { page, faults } = common;
      t.teardown(() => tell(faults.splice(0)));
      return page;
    },
  };
}

type Test = Pick<ExecutionContext, 'teardown'>;

interface Watched {
  page: Page;
  faults: string[];
}

async function watched(options: BrowserContextOptions): Promise<Watched> {
  // A service worker hides requests from `page.route`: tests of it allow it. Motion costs a tenth of the browser's CPU.
  const context = await (await browserOfProcess()).newContext({ serviceWorkers: 'block', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  return { page, faults: watch(page) };
}

function tell(faults: string[]): void {
  if (faults.length) throw new Error(`The page broke its rules:\n${faults.join('\n')}`);
}

function watch(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1' && hostname !== 'localhost') faults.push(`requested ${request.url()}`);
  });
  return faults;
}

/** Signs in through the form without rendering it, because rendering costs as much as a short test. Ends on the landing page. */
export async function signIn(page: Page, baseUrl: string, email: string, password = PASSWORD): Promise<void> {
  await page.goto(baseUrl + (await giveSession(page, baseUrl, email, password)));
  await page.locator('#side').waitFor({ state: 'attached' });
}

/** The last sign-ins of profiles. */
const signIns = new WeakMap<BrowserContext, { who: string; cookie: string }>();

/** Signs in, unless this user of the page still is, and opens an address instead of the landing page. */
export async function openAs(page: Page, baseUrl: string, email: string, address: string, password = PASSWORD): Promise<void> {
  const [last, cookies] = [signIns.get(page.context()), await page.context().cookies(baseUrl)];
  const isSignedIn = last?.who === `${baseUrl} ${email}` && cookies.some(({ value }) => value === last.cookie);
  if (!isSignedIn) await giveSession(page, baseUrl, email, password);
  await page.goto(address);
}

/** Returns the path of the landing page. */
async function giveSession(page: Page, baseUrl: string, email: string, password: string): Promise<string> {
  const visitor = new Visitor(baseUrl);
  const path = await visitor.signIn(email, password);
  await setSession(page, baseUrl, visitor.cookie);
  signIns.set(page.context(), { who: `${baseUrl} ${email}`, cookie: visitor.cookie });
  return path;
}

/** Signs in with the cookie of an existing session. */
export async function setSession(page: Page, baseUrl: string, cookie: string): Promise<void> {
  const { hostname, pathname } = new URL(baseUrl);
  await page
    .context()
    .addCookies([{ name: 'JSESSIONID', value: cookie, domain: hostname, path: pathname, httpOnly: true, sameSite: 'Lax' }]);
}

/** Waits until an expression in the page is true. (`page.waitForFunction` evaluates again inside the page, where its policy forbids it.) */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  if (!(await eventually(() => page.evaluate(expression), Boolean))) throw new Error(`${page.url()}: never true: ${expression}`);
}

/** Opens the account menu in the sidebar. */
export const openAccountMenu = (page: Page): Promise<void> => page.locator('details.me > summary').click();

/** Checks WCAG 2.2 AA with axe in light mode. The colours of dark mode are checked on every page by everyPage.browser.test.ts, and here
 *  with THOROUGH=1. */
export async function expectAccessible(t: ExecutionContext, page: Page): Promise<void> {
  // Reduced motion: a colour during a transition would be measured.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const faults = await axeFaults(page);
  if (isThorough) {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    faults.push(...(await axeFaults(page, 'colours')));
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  t.deepEqual(faults, [], page.url());
}

/** Nothing is wider than a phone: wide content scrolls inside its own box. */
export async function expectFitsPhone(t: ExecutionContext, page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
  if (before) await page.setViewportSize(before);
  t.true(wide <= 360, `${page.url()} is ${wide} px wide on a phone`);
}
