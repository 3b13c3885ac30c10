/** Calls of POST /items/save. */
import type { Bulk } from '../support/bulk.ts';
import type { Caller } from './load.ts';

export type Revise = (record: Record<string, unknown>, n: number) => Record<string, unknown>;

export const newTitle: Revise = (record, n) => ({ ...record, title: `Revised ${n}` });

/** Each connection saves its own item, `offset` from the first task on, with the version of the last answer. */
export function saves({ workspaceId, firstTaskId, key }: Bulk, offset: number, revise: Revise): Caller {
  let count = 0;
  const headers = { 'X-API-Key': key };
  return (connection, last) => {
    const id = firstTaskId + offset + connection;
    if (!last) return { method: 'GET', path: `/api/v1/item?workspaceId=${workspaceId}&id=${id}`, headers };
    const body = JSON.stringify({ workspaceId, record: revise(JSON.parse(last.body), count++) });
    return { method: 'POST', path: '/api/v1/items/save', headers, body };
  };
}
