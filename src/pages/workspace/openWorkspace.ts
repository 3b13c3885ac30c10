import { bits, holds, type ItemType, type Level, type Resource, resourceOf } from '../../access/rights.ts';
import type { SignedIn } from '../../overviews/signedIn.ts';
import { getMembership, type WorkspaceMembership } from '../../workspaces/listWorkspaces.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';

export interface OpenWorkspace extends WorkspaceMembership {
  /** Below the context path. */
  path: string;
  /** For links: with the context path. */
  at: string;
  /** May open the settings. */
  runs: boolean;
}

/** The workspace of the URL. Throws Forbidden for non-members and for archived workspaces. */
export async function openWorkspace(request: PageRequest): Promise<OpenWorkspace> {
  return asOpened(request, await call(request, getMembership, { workspaceId: Number(request.params.id) }));
}

/** For a membership that another operation has already read. */
export function asOpened({ user, basePath }: PageRequest, membership: WorkspaceMembership): OpenWorkspace {
  const path = `/workspaces/${membership.id}`;
  const runs = membership.role === 'owner' || user.accountRole !== 'member';
  return { ...membership, path, at: basePath + path, runs };
}

/** May make and change templates. */
export const keepsTemplates = (workspace: OpenWorkspace): boolean =>
  mayWork(workspace, 'task', 'write') && (workspace.runs || workspace.role === 'manager');

export function may(workspace: WorkspaceMembership, resource: Resource, level: Level): boolean {
  return holds(workspace.rights, bits(resource, level));
}

export const mayWork = (workspace: WorkspaceMembership, type: ItemType, level: Level): boolean => may(workspace, resourceOf(type), level);

/** True if the user has another workspace to move items to. Then menus and commands offer the move. */
export const hasOtherWorkspace = ({ frame }: Pick<SignedIn, 'frame'>): boolean => (frame?.workspaces.length ?? 0) > 1;

export function trail(...steps: { href: string; label: string }[]): Content {
  return steps.map(({ href, label }, place) => html`${place > 0 && html`<span aria-hidden="true">/</span>`}<a href="${href}">${label}</a>`);
}
