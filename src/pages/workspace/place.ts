/** What the pages inside a workspace have in common: where one is, and what one may do there. */
import { bits, holds, type ItemType, type Level, type Resource, resourceOf } from '../../access/rights.ts';
import { getPlace } from '../../workspaces/getPlace.ts';
import type { Place } from '../../workspaces/placeQueries.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';

export interface Opened extends Place {
  /** Below the context path. */
  path: string;
  /** For links: with the context path. */
  at: string;
  /** May open the settings. */
  runs: boolean;
}

/** The workspace of the address. Throws Forbidden for who is no member and for an archived one. */
export async function openPlace(request: PageRequest): Promise<Opened> {
  const place = await call<Place>(request, getPlace, { workspaceId: Number(request.params.id) });
  const path = `/workspaces/${place.id}`;
  const runs = place.role === 'owner' || request.user.accountRole !== 'member';
  return { ...place, path, at: request.deps.config.basePath + path, runs };
}

export function may(place: Place, resource: Resource, level: Level): boolean {
  return holds(place.rights, bits(resource, level));
}

export const mayWork = (place: Place, type: ItemType, level: Level): boolean => may(place, resourceOf(type), level);

/** Where one is: links from the workspace down to what is above the page. */
export function trail(...steps: { href: string; label: string }[]): Content {
  return html`<nav aria-label="Breadcrumb" class="trail"><ul>${steps.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul></nav>`;
}

export const problemBox = (problem: string | undefined): Content => problem && html`<p class="error" role="alert">${problem}</p>`;
