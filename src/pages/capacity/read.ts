/** The forecast that a capacity page's address asks for. */
import type { Capacity } from '../../capacity/schema.ts';
import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import type { PageRequest } from '../frame/page.ts';

/** A forecast is read whole for a page: beyond this one would hold up everybody else (behaviour §12.17). */
const MOST_CHARACTERS = 8 * 1024 * 1024;

export const asked = (query: URLSearchParams) => ({
  workspaceId: Number(query.get('workspaceId') ?? 0),
  from: query.get('from') || undefined,
});

/** Undefined when it is too large for a page. Throws Unavailable while it is being computed. */
export async function readCapacity({ deps, caller, query }: PageRequest): Promise<Capacity | undefined> {
  const answer = outputOf(await perform(deps.db, caller, deps.capacity, parseInput(deps.capacity.input, asked(query))));
  return answer.parse(MOST_CHARACTERS);
}
