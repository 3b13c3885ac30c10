/** All pages as a table. Adding a page is adding a file and a row. */
import type { PageRoute } from './page.ts';
import { signInRoutes } from './signIn.ts';

export const pageRoutes: PageRoute[] = [...signInRoutes];
