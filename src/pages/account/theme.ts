import { chooseTheme } from '../../accounts/ownTheme.ts';
import { call } from '../frame/call.ts';
import { backOf } from '../frame/nextPath.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';

async function choose(request: PageRequest): Promise<Answer> {
  await call(request, chooseTheme, { theme: request.form.text('theme') });
  return { redirect: backOf(request) };
}

export const themeRoutes: PageRoute[] = [{ method: 'POST', path: '/theme', handle: choose }];
