/** Cost of polling changes while nothing happens. */
import type { Bulk } from '../support/bulk.ts';
import { compare, type Figure, type Goal, printFigures } from './measure.ts';
import type { Server } from './servers.ts';

/** `GET /changes` with the ETag of the last answer, compared with `GET /item` of the same process. */
export async function idlePoll(web: Server, { key, workspaceId, lastTaskId }: Bulk): Promise<Goal> {
  const headers = { 'X-API-Key': key };
  const ask = (after: string) =>
    fetch(`http://127.0.0.1:${web.port}/api/v1/changes?workspaceId=${workspaceId}&after=${after}`, { headers });
  const { nextAfter } = (await (await ask('latest')).json()) as { nextAfter: string };
  const etag = (await ask(nextAfter)).headers.get('etag')!;
  const get =
    (path: string, more = {}) =>
    () =>
    () => ({ method: 'GET' as const, path: `/api/v1${path}`, headers: { ...headers, ...more } });
  const figures = await compare([
    { name: 'GET /item', ...web, calls: get(`/item?workspaceId=${workspaceId}&id=${lastTaskId}`) },
    {
      name: 'GET /changes, nothing new: 304',
      ...web,
      calls: get(`/changes?workspaceId=${workspaceId}&after=${nextAfter}`, { 'If-None-Match': etag }),
    },
  ]);
  printFigures('An idle poll of changes', figures);
  const [item, poll] = figures as [Figure, Figure];
  return { text: 'an idle poll of GET /changes against GET /item, CPU', value: poll.cpuMicros / item.cpuMicros, want: 'at most', bound: 1 };
}
