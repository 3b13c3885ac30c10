/** /live/frame: what stands around a page, for one whose own work is not followed: its timer, and the numbers in its sidebar (behaviour
 *  §31.9). `at`: the page that the timer's forms lead back to. */
import { backTo } from '../frame/back.ts';
import type { PageRoute } from '../frame/page.ts';

export const frameRoutes: PageRoute[] = [
  {
    method: 'GET',
    path: '/live/frame',
    handle: async (request) => ({ title: 'Around the page', body: null, at: backTo(request.query.get('at'), request, '/') }),
  },
];
