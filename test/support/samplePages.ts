/** The sample account with its web server, and the address of every page of the table: tests that look at all pages find a new one. */
import { pageRoutes } from '../../src/pages/routes.ts';
import { loadSample } from '../../src/sample/load.ts';
import { Fixtures } from './restWorld.ts';
import { currentSuite } from './suite.ts';
import { startWeb, type Web } from './world.ts';

export interface SamplePages {
  web: Web;
  who: { email: string; password: string };
  /** Of the sample's first workspace. */
  workspaceId: number;
  /** The item with the most comments. */
  itemId: number;
  /** Paths of pages for signed-in users. */
  addresses: readonly string[];
}

/** Pages that need a link, a file, a password or a worker, which other tests check, and data for scripts. */
const elsewhere =
  /^\/(sign-in|forgotten$|email|invitation|welcome|unsubscribe)|capacity\/workspaces|fileId|:changeId|:webhookId|new-encrypted|export|\/(candidates|find|fit)$|\.csv$/;

function addressesOf(ids: Record<string, string>): string[] {
  const own = pageRoutes
    .filter(({ method, path, development }) => method === 'GET' && !development && !elsewhere.test(path))
    .map(({ path }) =>
      path.startsWith('/mcp-access/:id') ? path.replace(':id', ids.connection!) : path.replace(/:\w+/g, (name) => ids[name] ?? name),
    );
  const at = `/workspaces/${ids[':id']}`;
  const types = ['requirement', 'goal', 'release', 'milestone'].map((type) => `${at}?type=${type}`);
  return [...new Set([...own, ...types, `${at}?view=board`, `${at}?view=timeline&status=all`, '/search?q=a', '/nowhere'])].filter(
    (path) => !path.includes(':'),
  );
}

/** Call it at the top level of the file and read its values in hooks and tests. `prepare` may change the sample first. */
export function samplePages(
  database: { readonly url: string },
  prepare?: (fixtures: Fixtures, workspaceId: number) => Promise<unknown>,
): { readonly now: SamplePages } {
  let now: SamplePages | undefined;
  currentSuite().before('the sample', async () => {
    const sample = (await loadSample(database.url))!;
    const { workspaceId } = sample;
    const fixtures = new Fixtures(database.url);
    await prepare?.(fixtures, workspaceId);
    const one = async (sql: string): Promise<string> => String(Object.values((await fixtures.sql(sql))[0] ?? { none: '' })[0]);
    const me = await one(`select id from users where email = '${sample.email}'`);
    const ids = {
      ':id': String(workspaceId),
      ':itemId': await one(`select item_id from comments where workspace_id = ${workspaceId} group by 1 order by count(*) desc limit 1`),
      ':noteId': await one(`select id from personal_notes where user_id = ${me} order by id limit 1`),
      connection: await one(`select id from connections where user_id = ${me} and revoked_at is null order by id limit 1`),
    };
    await fixtures.close();
    now = { web: await startWeb(database.url), who: sample, workspaceId, itemId: Number(ids[':itemId']), addresses: addressesOf(ids) };
  });
  currentSuite().after('stop', () => now?.web.stop());
  return {
    get now() {
      if (!now) throw new Error('samplePages: read it in hooks and tests only.');
      return now;
    },
  };
}
