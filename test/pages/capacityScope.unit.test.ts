/** The scope menu of the capacity page: the workspaces of the sidebar, and a link to the others. */
import { ALL_RIGHTS, bits } from '../../src/access/rights.ts';
import { scopeMenu } from '../../src/pages/capacity/scope.ts';
import type { PageRequest } from '../../src/pages/frame/page.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const request = (count: number, moreWorkspaces: boolean) => {
  const workspaces = Array.from({ length: count }, (_, n) => ({ id: n + 1, name: `Room ${n + 1}`, rights: ALL_RIGHTS }));
  const apart = { id: 90, name: 'Not overseen', rights: bits('tasks', 'delete') };
  return { basePath: '/x', user: { frame: { workspaces: [...workspaces, apart], moreWorkspaces } } } as unknown as PageRequest;
};
const links = (menu: ReturnType<typeof scopeMenu>) => [...menu.text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
const from = '2026-11-16';

test('few workspaces are all offered, except those without oversight', (t) => {
  t.deepEqual(
    links(scopeMenu(request(4, false), { id: 2, name: 'Room 2' }, from)),
    [0, 1, 2, 3, 4].map((id) => `/x/capacity?workspaceId=${id}&amp;from=${from}`),
  );
  t.regex(scopeMenu(request(4, false), { id: 0, name: null }, from).text, /Room 1, Room 2, Room 3 and 1 more/);
});

test('with many workspaces there is a link to the others, and the current scope is offered although it is not in the sidebar', (t) => {
  const menu = scopeMenu(request(20, true), { id: 77, name: 'Room 77' }, from);
  t.is(links(menu).length, 23);
  t.true(links(menu).includes(`/x/capacity?workspaceId=77&amp;from=${from}`));
  t.is(links(menu).at(-1), `/x/capacity/scopes?from=${from}`);
  t.regex(menu.text, /Room 1, Room 2, Room 3 and more/);
});
