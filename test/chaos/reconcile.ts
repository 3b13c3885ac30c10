/** The stored data, read by SQL and through the API. */
import type { Calls, Json } from './calls.ts';
import { type Found, MARK, markKey, rowKey, type Table } from './ledger.ts';
import type { Postgres } from './postgres.ts';
import type { Life } from './processes.ts';
import type { Town } from './town.ts';

const where: Record<Table, { text: string; revision: string | null }> = {
  items: { text: 'title', revision: 'version' },
  comments: { text: 'body', revision: null },
  time_entries: { text: 'note', revision: 'revision' },
  plan_blocks: { text: 'note', revision: 'revision' },
  personal_notes: { text: 'title', revision: 'revision' },
};

class Collected implements Found {
  readonly marks = new Map<string, number>();
  readonly revisions = new Map<string, number>();

  add(table: Table, id: number, text: string, revision: number | null): void {
    const mark = text.match(MARK)?.[0];
    if (mark) this.marks.set(markKey(table, mark), (this.marks.get(markKey(table, mark)) ?? 0) + 1);
    if (revision !== null) this.revisions.set(rowKey(table, id), revision);
  }
}

export async function foundBySql(postgres: Postgres): Promise<Found> {
  const found = new Collected();
  for (const [table, { text, revision }] of Object.entries(where)) {
    const rows = await postgres.rows(`select id, ${text} as text, ${revision ?? 'null::integer'} as revision from ${table}`);
    for (const row of rows) found.add(table as Table, Number(row.id), row.text, row.revision);
  }
  return found;
}

/** Everything that keys can read: items and comments by REST; time, plans and notes as each agent sees its own. */
export async function foundByApi(calls: Calls, life: Life, town: Town): Promise<Found> {
  const found = new Collected();
  const rest = async (path: string): Promise<Json> => {
    const answer = await calls.get(life, `/api/v1${path}workspaceId=${town.workspaceId}`, { 'X-API-Key': town.restKey });
    if (answer?.status !== 200) throw new Error(`Nothing could be read from ${path}`);
    return answer.body;
  };
  const tool = async (key: string, name: string, given: Json): Promise<Json> => {
    const result = (await calls.tool(life, key, name, given))?.body.result;
    if (!result || result.isError !== undefined) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    return result.structuredContent;
  };
  await readItems(found, rest);
  for (const key of [...town.agents, ...town.sleepers, town.probe]) await readOwn(found, (name, given) => tool(key, name, given));
  return found;
}

async function readItems(found: Collected, rest: (path: string) => Promise<Json>): Promise<void> {
  for (let page: Json = { hasMore: true, nextAfter: 0 }; page.hasMore; ) {
    page = await rest(`/items?limit=100&after=${page.nextAfter}&`);
    for (const { id, title, version } of page.items) {
      found.add('items', id, title, version);
      for (const comment of (await rest(`/comments?id=${id}&`)).comments) found.add('comments', comment.id, comment.body, null);
    }
  }
}

async function readOwn(found: Collected, tool: (name: string, given: Json) => Promise<Json>): Promise<void> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const { entries, timer, planBlocks } = await tool('svc_my_time', { from: day(-2), to: day(2) });
  for (const { id, note, revision } of timer ? [...entries, timer] : entries) found.add('time_entries', id, note ?? '', revision);
  for (const { id, note, revision } of planBlocks) found.add('plan_blocks', id, note ?? '', revision);
  for (let page: Json = { hasMore: true, nextAfterId: 0 }; page.hasMore; ) {
    page = await tool('svc_personal_notes_list', { limit: 100, afterId: page.nextAfterId });
    for (const { id, title, revision } of page.notes) found.add('personal_notes', id, title, revision);
  }
}
