/** The item of a page's address, with what stands around it. */
import { getItemWithNotes } from '../../comments/getItemWithNotes.ts';
import type { Work } from '../../items/schema.ts';
import { getSurroundings } from '../../items/surroundings.ts';
import type { Surroundings } from '../../items/surroundingsQueries.ts';
import { Forbidden } from '../../values/errors.ts';
import { getOptions } from '../../workspaces/getOptions.ts';
import { call } from '../frame/call.ts';
import type { PageRequest } from '../frame/page.ts';
import { type Opened, openPlace } from '../workspace/place.ts';
import type { AllOptions } from './form.ts';

export interface Note {
  id: number;
  body: string;
  createdAt: string;
  authorName: string;
  rewritten: boolean;
  originalBody?: string;
}

export interface OpenedItem {
  place: Opened;
  item: Work;
  around: Surroundings;
  options: AllOptions;
  /** Newest first; left out for who may not read comments. */
  notes?: Note[];
  /** With the context path. */
  at: string;
}

/** Throws Forbidden for an item that is absent, hidden or in another workspace. */
export async function openItem(request: PageRequest): Promise<OpenedItem> {
  const place = await openPlace(request);
  const id = Number(request.params.itemId);
  const { item, notes } = await call<{ item: Work & { workspaceId: number }; notes?: Note[] }>(request, getItemWithNotes, {
    id,
    includeOriginals: true,
  });
  if (item.workspaceId !== place.id) throw new Forbidden();
  const around = await call<Surroundings>(request, getSurroundings, { workspaceId: place.id, id });
  const options = await call<AllOptions>(request, getOptions, { workspaceId: place.id });
  return { place, item, around, options, at: `${place.at}/items/${id}`, ...(notes && { notes }) };
}
