/** One person opens an item every second and has eight boards open, in which twenty colleagues work. The budget of computing (behaviour
 *  §13.15) must not slow this person: a second person without boards opens the same items, for comparison. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_RIGHTS } from '../../src/access/rights.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { draftOf } from '../support/restWorld.ts';
import type { Bench } from './bench.ts';
import { atMost, type Goal, median, percentile, round } from './measure.ts';
import { ask, get, makePlace, post } from './places.ts';

const COLLEAGUES = 20;
const BOARDS = 8;
/** Of each colleague. */
const BETWEEN_SAVES_MS = 5_000;
/** Pages look again at most so often (src/pages/static/js/follow.ts). */
const BETWEEN_LOOKS_MS = 1_000;

export async function ordinary(bench: Bench): Promise<Goal[]> {
  const seconds = bench.quick ? 6 : 60;
  const keys = Array.from({ length: COLLEAGUES }, (_, n) => `colleague-${n}`);
  const place = await makePlace(bench, 1_000, async (client, { accountId, workspaceId }) => {
    const insertion = `
      with person as (insert into users (account_id, email, name) values ($1, $3 || '@bench.example', $3) returning id),
      member as (insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, id, 'member' from person),
      session as (
        insert into sessions (account_id, user_id, token_hash, expires_at) select $1, id, sha256($3::bytea), now() + interval '1 hour' from person)
      insert into rest_keys (account_id, user_id, name, key_hash, rights) select $1, id, 'Key', $4, $5 from person`;
    for (const name of [...keys, 'onlooker']) await client.query(insertion, [accountId, workspaceId, name, hashSecret(name), ALL_RIGHTS]);
  });
  const { web, bulk, cookie } = place;
  const { workspaceId } = bulk;
  const end = performance.now() + seconds * 1_000;
  const again = async (betweenMs: number, work: (n: number) => Promise<unknown>) => {
    for (let n = 0; performance.now() < end; n++) {
      const next = performance.now() + betweenMs;
      await work(n);
      await sleep(Math.max(0, next - performance.now()));
    }
  };
  const refused: number[] = [];
  const call = async (one: Parameters<typeof ask>[1]) => {
    const started = performance.now();
    const answer = await ask(web, one);
    await answer.arrayBuffer();
    if (answer.status !== 200) refused.push(answer.status);
    return performance.now() - started;
  };
  const opened: Record<'person' | 'onlooker', number[]> = { person: [], onlooker: [] };
  const opening = (who: keyof typeof opened, headers: { Cookie: string }) =>
    again(1_000, async (n) => {
      opened[who].push(await call(get(`/workspaces/${workspaceId}/items/${bulk.firstTaskId + n}`, headers)));
    });
  const boards = Array.from({ length: BOARDS }, () =>
    again(BETWEEN_LOOKS_MS, () => call(get(`/workspaces/${workspaceId}?view=board`, cookie))),
  );
  const colleagues = keys.map(async (key, n) => {
    await sleep((n / COLLEAGUES) * BETWEEN_SAVES_MS);
    await again(BETWEEN_SAVES_MS, () => call(post('/api/v1/items/save', { 'X-API-Key': key }, { workspaceId, record: draftOf('task') })));
  });
  await Promise.all([opening('person', cookie), opening('onlooker', { Cookie: 'JSESSIONID=onlooker' }), ...boards, ...colleagues]);
  const times = Object.entries(opened).map(([who, all]) => `${who} ${round(median(all))} and ${round(percentile(all, 0.95))} ms`);
  console.log(`An item opens for ${times.join(', for the ')} (median, 95th percentile)`);
  return [
    atMost('refused calls of a person with eight boards open', refused.length, 0),
    atMost(
      'an item opens with eight boards open, against a person without boards, median',
      median(opened.person) / median(opened.onlooker),
      1.5,
    ),
  ];
}
