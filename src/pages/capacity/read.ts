import type { Capacity } from '../../capacity/schema.ts';
import { call } from '../frame/call.ts';
import type { PageRequest } from '../frame/page.ts';

/** Parsing a longer forecast would block other requests (behaviour §12.17). */
const MOST_CHARACTERS = 4 * 1024 * 1024;

export const capacityQuery = (query: URLSearchParams) => ({
  workspaceId: Number(query.get('workspaceId') ?? 0),
  from: query.get('from') || undefined,
});

/** Undefined if it is too large for a page. Throws Unavailable while it is computed. */
export async function readCapacity(request: PageRequest): Promise<Capacity | undefined> {
  const answer = await call(request, request.deps.capacity, capacityQuery(request.query));
  return answer.parse(MOST_CHARACTERS);
}
