/** The forecast that a capacity page's address asks for. */
import type { Capacity } from '../../capacity/schema.ts';
import { call } from '../frame/call.ts';
import type { PageRequest } from '../frame/page.ts';

/** A page reads a whole forecast: parsing a longer one would hold up other requests (behaviour §12.17). */
const MOST_CHARACTERS = 4 * 1024 * 1024;

export const asked = (query: URLSearchParams) => ({
  workspaceId: Number(query.get('workspaceId') ?? 0),
  from: query.get('from') || undefined,
});

/** Undefined when it is too large for a page. Throws Unavailable while it is being computed. */
export async function readCapacity(request: PageRequest): Promise<Capacity | undefined> {
  const answer = await call(request, request.deps.capacity, asked(request.query));
  return answer.parse(MOST_CHARACTERS);
}
