/** Programs that write through REST without retries: they read to resolve an uncertain write (behaviour §5.2). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './calls.ts';
import type { Life } from './processes.ts';
import type { Random } from './random.ts';
import type { Stage } from './tool.ts';

/** Headers with credentials. Null if signing in failed this time. */
type Entry = (life: Life) => Promise<Record<string, string> | null>;

export async function integrate(stage: Stage, random: Random, enter: Entry): Promise<void> {
  const { ledger, workspaceId } = stage;
  const items: { id: number; version: number; title: string }[] = [];

  const post = async (path: string, body: Json): Promise<Json | undefined> => {
    const [life] = random.shuffled(stage.crew.listening());
    const headers = life && (await enter(life));
    const answer = headers && (await stage.calls.post(life, `/api/v1${path}`, headers, { workspaceId, ...body }));
    return answer?.status === 200 ? answer.body : undefined;
  };
  const save = (record: object) =>
    post('/items/save', { record: { ...{ type: 'task', description: '', status: 'planned', fields: {} }, ...record } });

  /** Repeated until a process answers. */
  const get = async (path: string, query: string): Promise<Json | undefined> => {
    while (performance.now() < stage.givesUpAt) {
      const [life] = random.shuffled(stage.crew.listening());
      const headers = life && (await enter(life));
      const answer = headers && (await stage.calls.send(life, `/api/v1${path}?workspaceId=${workspaceId}&${query}`, { headers }));
      if (answer) return answer.status === 200 ? answer.body : undefined;
      await sleep(200);
    }
    return undefined;
  };
  /** The item with this title among those made since our last one. */
  const shown = async (title: string): Promise<Json | undefined> => {
    for (let after = items.at(-1)?.id ?? 0; ; ) {
      const page = await get('/items', `type=task&limit=100&after=${after}`);
      const found = page?.items.find((item: Json) => item.title === title);
      if (found || !page?.hasMore) return found;
      after = page.nextAfter;
    }
  };

  const create = async () => {
    const title = ledger.fresh('items');
    const saved = (await save({ title })) ?? (await shown(title));
    if (!saved) return;
    ledger.mark('items', title, 'acknowledged');
    ledger.at('items', saved.id, saved.version);
    items.push({ id: saved.id, version: saved.version, title });
  };
  const update = async () => {
    const item = items.at(-1);
    if (!item) return;
    const saved = (await save({ ...item, description: `Changed from version ${item.version}` })) ?? (await get('/item', `id=${item.id}`));
    if (saved?.version === item.version + 1) {
      item.version++;
      ledger.at('items', item.id, item.version);
    } else {
      // The write may still be under way, so don't touch this item again.
      items.pop();
      ledger.maybeAt('items', item.id, item.version + 1);
    }
  };
  while (performance.now() < stage.endsAt) {
    await random.pick([create, update, update])();
    await sleep(random.between(20, 200));
  }
}

/** A browser user: signs in through the form, and again now and then. `secrets` gets every cookie and CSRF value. */
export function bySession({ calls }: Stage, random: Random, who: { email: string; password: string }, secrets: Set<string>): Entry {
  let headers: Record<string, string> | null = null;
  return async (life) => {
    if (headers && !random.chance(0.02)) return headers;
    headers = null;
    const answer = await calls.send(life, '/sign-in', { method: 'POST', body: new URLSearchParams({ ...who, next: '/' }) });
    const session = answer?.headers.get('set-cookie')?.match(/JSESSIONID=([^;]+)/)?.[1];
    if (!session) return null;
    secrets.add(session);
    const Cookie = `JSESSIONID=${session}`;
    const csrf = (await calls.send(life, '/api/v1/capabilities', { headers: { Cookie } }))?.body.csrfToken;
    if (typeof csrf !== 'string') return null;
    secrets.add(csrf);
    headers = { Cookie, 'X-CSRF-Token': csrf };
    return headers;
  };
}
