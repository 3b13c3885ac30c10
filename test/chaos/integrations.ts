/** Programs that write through REST without retries: they read to resolve an uncertain write (behaviour §5.2). */
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMENT_WORDS } from './agents.ts';
import type { Answer, Json } from './calls.ts';
import type { Life } from './processes.ts';
import type { Random } from './random.ts';
import type { Stage } from './tool.ts';

/** Headers with credentials. Null if signing in failed this time. */
export type Entry = (life: Life) => Promise<Record<string, string> | null>;

export class Integration {
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #enter: Entry;
  readonly #items: { id: number; version: number }[] = [];

  constructor(stage: Stage, random: Random, enter: Entry) {
    this.#stage = stage;
    this.#random = random;
    this.#enter = enter;
  }

  get #ledger() {
    return this.#stage.ledger;
  }

  async live(): Promise<void> {
    while (performance.now() < this.#stage.endsAt) {
      await this.#random.pick([this.#create, this.#update, this.#comment]).call(this);
      await sleep(this.#random.between(20, 200));
    }
  }

  async #post(path: string, body: Json): Promise<Answer | null> {
    this.#stage.counts.writes++;
    const [life] = this.#random.shuffled(this.#stage.crew.listening());
    const headers = life && (await this.#enter(life));
    return headers ? this.#stage.calls.post(life, `/api/v1${path}`, headers, { workspaceId: this.#stage.workspaceId, ...body }) : null;
  }

  /** Repeats the read until a process answers. */
  async #get(path: string, query: string): Promise<Json | null> {
    while (performance.now() < this.#stage.givesUpAt) {
      const [life] = this.#random.shuffled(this.#stage.crew.listening());
      const headers = life && (await this.#enter(life));
      const answer =
        headers && (await this.#stage.calls.get(life, `/api/v1${path}?workspaceId=${this.#stage.workspaceId}&${query}`, headers));
      if (answer) return answer.status === 200 ? answer.body : null;
      await sleep(200);
    }
    return null;
  }

  async #create(): Promise<void> {
    const mark = this.#ledger.fresh('items');
    const record = { type: 'task', title: mark, description: 'As made', status: 'planned', fields: {} };
    const answer = await this.#post('/items/save', { record });
    const saved = answer ? answer.status === 200 && answer.body : await this.#look(mark);
    if (!saved) return;
    this.#ledger.mark('items', mark, 'acknowledged');
    this.#ledger.at('items', saved.id, saved.version);
    this.#items.push({ id: saved.id, version: saved.version });
  }

  /** The item with this mark among those made since our last one. */
  async #look(mark: string): Promise<Json | undefined> {
    for (let after = this.#items.at(-1)?.id ?? 0; ; ) {
      const page = await this.#get('/items', `type=task&limit=100&after=${after}`);
      const found = page?.items.find(({ title }: Json) => title === mark);
      if (found || !page?.hasMore) return found;
      after = page.nextAfter;
    }
  }

  async #update(): Promise<void> {
    const item = this.#items.at(-1);
    if (!item) return;
    const title = (await this.#get('/item', `id=${item.id}`))?.title;
    if (!title) return;
    const description = `Changed from version ${item.version}`;
    const record = { ...{ type: 'task', title, description, status: 'planned', fields: {} }, id: item.id, version: item.version };
    const answer = await this.#post('/items/save', { record });
    const now = answer?.body ?? (await this.#get('/item', `id=${item.id}`));
    if (now?.version === item.version + 1) {
      item.version++;
      return this.#ledger.at('items', item.id, item.version);
    }
    // The write may still be under way, so don't touch this item again.
    this.#items.pop();
    this.#ledger.maybeAt('items', item.id, item.version + 1);
  }

  async #comment(): Promise<void> {
    const item = this.#items.at(-1);
    if (!item) return;
    const mark = this.#ledger.fresh('comments');
    const answer = await this.#post('/comments', { id: item.id, body: `${mark} ${COMMENT_WORDS}` });
    const seen = answer
      ? answer.status === 200
      : (await this.#get('/comments', `id=${item.id}`))?.comments.some(({ body }: Json) => body.startsWith(mark));
    if (seen) this.#ledger.mark('comments', mark, 'acknowledged');
  }
}

export const byKey =
  (key: string): Entry =>
  async () => ({ 'X-API-Key': key });

/** A browser user: signs in through the form, and again now and then. `secrets` gets every cookie and CSRF value. */
export function bySession({ calls }: Stage, random: Random, who: { email: string; password: string }, secrets: Set<string>): Entry {
  let headers: Record<string, string> | null = null;
  return async (life) => {
    if (headers && !random.chance(0.02)) return headers;
    headers = null;
    const answer = await calls.postForm(life, '/sign-in', { ...who, next: '/' });
    const session = answer?.headers.get('set-cookie')?.match(/JSESSIONID=([^;]+)/)?.[1];
    if (!session) return null;
    secrets.add(session);
    const Cookie = `JSESSIONID=${session}`;
    const csrf = (await calls.get(life, '/api/v1/capabilities', { Cookie }))?.body.csrfToken;
    if (typeof csrf !== 'string') return null;
    secrets.add(csrf);
    headers = { Cookie, 'X-CSRF-Token': csrf };
    return headers;
  };
}
