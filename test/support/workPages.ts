/** A workspace with people and work (support/workWorld.ts), in a browser.
 *
 *  ```ts
 *  const work = workPages({ items: [{ ref: 'deck', type: 'task', title: 'Paint the deck' }] });
 *  test('…', async (t) => {
 *    const page = await work.open(t, work.item('deck'), 'mia');
 *  });
 *  ```
 */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { type FileBrowser, fileBrowser, openAs } from './browser.ts';
import { fileDatabase } from './database.ts';
import { rowsAt } from './rowsAt.ts';
import { currentSuite } from './suite.ts';
import { signedIn, type Visitor } from './visitor.ts';
import { emailOf, type Person, type WorkWorld, workWorld } from './workWorld.ts';

export interface WorkPages extends Omit<WorkWorld, 'stop'> {
  browser: FileBrowser;
  readonly databaseUrl: string;
  /** The file's shared page, on a desktop, signed in as Ana or another person, at the workspace or another address. */
  open(t: ExecutionContext, address?: string, who?: Person): Promise<Page>;
  /** A person over plain HTTP. */
  visitor(who: Person): Promise<Visitor>;
  /** Rows of one statement. */
  rows(text: string, values?: unknown[]): ReturnType<typeof rowsAt>;
}

/** Call it at the top level of the file; read its values in hooks and tests. */
export function workPages(workspace?: Parameters<typeof workWorld>[1], account?: Parameters<typeof workWorld>[2]): WorkPages {
  const database = fileDatabase();
  const browser = fileBrowser();
  let world: WorkWorld | undefined;
  currentSuite().before('a workspace with work', async () => {
    world = await workWorld(database.url, workspace, account);
  });
  currentSuite().after('stop', () => world?.stop());
  return {
    get web() {
      return world!.web;
    },
    get refs() {
      return world!.refs;
    },
    get at() {
      return world!.at;
    },
    get databaseUrl() {
      return database.url;
    },
    item: (ref) => world!.item(ref),
    browser,
    async open(t, address = world!.at, who = 'ana') {
      const page = await browser.shared(t);
      await page.setViewportSize({ width: 1440, height: 900 });
      await openAs(page, world!.web.baseUrl, emailOf(who), address);
      return page;
    },
    visitor: (who) => signedIn(world!.web.baseUrl, emailOf(who)),
    rows: (text, values) => rowsAt(database.url, text, values),
  };
}
