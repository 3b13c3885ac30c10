import { placesOf } from '../../items/placesOf.ts';
import { Forbidden } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';

async function lead(request: PageRequest): Promise<Answer> {
  const [place] = await call(request, placesOf, { ids: [Number(request.params.itemId)] });
  if (!place) throw new Forbidden();
  return { redirect: `/workspaces/${place.workspaceId}/items/${place.id}` };
}

export const placeRoutes: PageRoute[] = [{ method: 'GET', path: '/items/:itemId', bare: true, handle: lead }];
