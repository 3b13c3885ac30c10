/** /live/frame: timer and sidebar for pages whose body is not updated live (behaviour §31.9). `at`: return path of the timer's forms. */
import { backTo } from '../frame/back.ts';
import type { PageRoute } from '../frame/page.ts';

export const frameRoutes: PageRoute[] = [
  {
    method: 'GET',
    path: '/live/frame',
    handle: async (request) => ({ title: 'Around the page', body: null, at: backTo(request.query.get('at'), request, '/') }),
  },
];
