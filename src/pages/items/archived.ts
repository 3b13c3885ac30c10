/** The page of an archived item, with Restore as its only action (behaviour §23.6). */
import { placesOf } from '../../items/changedFields.ts';
import { isLink } from '../../items/fields.ts';
import { restoreItem } from '../../items/restoreItem.ts';
import { type ArchivedItem, archivedItem, mayHaveOlder } from '../../overviews/archivedItem.ts';
import { Forbidden } from '../../values/errors.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { asideSection, notice, properties, section } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { badge } from '../frame/components/marks.ts';
import { say, stream } from '../frame/components/stream.ts';
import { day, moment } from '../frame/components/when.ts';
import { type Prose, proseOf } from '../frame/formatting/prose.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { asOpened, mayWork, type OpenWorkspace } from '../workspace/openWorkspace.ts';
import { type FormName, groupsOf, kindOf, labelOf, labels } from './fields.ts';
import { displayedValue } from './form.ts';
import { idsOf, itemPath } from './pageOf.ts';
import { actorName, valuesOf } from './values.ts';

/** Shows `page`, the archived page if the item is archived, or leads to the workspace that the item is in. Throws Forbidden as `page` does
 *  for readers without access. */
export async function pageOrArchived(request: PageRequest, page: () => Promise<Answer>): Promise<Answer> {
  try {
    return await page();
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    return await show(request).catch((gone: unknown) => lead(request, gone));
  }
}

/** An item that moved to another workspace keeps its number (behaviour §42.6). */
async function lead(request: PageRequest, gone: unknown): Promise<Answer> {
  if (!(gone instanceof Forbidden)) throw gone;
  const { workspaceId, id } = idsOf(request);
  const [place] = Number.isSafeInteger(id) && id > 0 ? await call(request, placesOf, { ids: [id] }) : [];
  if (!place || place.workspaceId === workspaceId) throw gone;
  return { redirect: `/workspaces/${place.workspaceId}/items/${id}` };
}

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const found = await call(request, archivedItem, idsOf(request));
  const workspace = asOpened(request, found.membership);
  const { item } = found;
  const clock = clockOf(request);
  const prose = await proseOf(request, {
    at: `${workspace.at}/items/${item.id}`,
    links: { items: `${workspace.at}/items` },
    texts: [item.description, item.fields.acceptance, ...(found.notes ?? []).map(({ body }) => body)],
  });
  return {
    title: item.title,
    status: refusal?.status ?? 200,
    crumbs: html`<a href="${workspace.at}?type=${item.type}">${workspace.name}</a><span aria-hidden="true">/</span><span>#${item.id}</span>`,
    meta: badge('amber', 'archive', 'Archived'),
    body: html`<div class="archived-item">${refusal && notice('error', refusal.problem)}
${notice('warning', words(found, clock), restoreForm(request, workspace, found))}
${texts(item, prose)}${comments(found, prose, clock)}</div>`,
    aside: asideSection('Properties', facts(found, workspace, clock)),
  };
}

function words({ archived, item }: ArchivedItem, clock: Clock): Content {
  const { name, via, keyName, at } = archived;
  const who = name === null ? '' : html` by ${actorName(name, { via: via ?? 'page', keyName })}`;
  return html`This ${item.type} was archived${who}, ${moment(at, clock)}. Restore it to change it or to see it in lists.`;
}

function restoreForm(request: PageRequest, workspace: OpenWorkspace, { item, links }: ArchivedItem): Content {
  if (!mayWork(workspace, item.type, 'delete')) return null;
  const above = links.find(({ archived, type }) => archived && type !== 'goal');
  if (above) return linkButton(`${workspace.at}/items/${above.id}`, `Restore ${above.type} ${above.id} first`, { small: true });
  return postForm(
    request,
    { action: `${workspace.path}/items/${item.id}/restore`, hidden: { version: item.version }, once: true },
    button('Restore', { kind: 'primary', small: true, icon: 'archive-restore' }),
  );
}

const texts = ({ description, fields }: ArchivedItem['item'], prose: Prose): Content => [
  description && prose(description),
  fields.acceptance && section({ title: labels.acceptance }, prose(fields.acceptance)),
];

function comments({ notes }: ArchivedItem, prose: Prose, clock: Clock): Content {
  if (!notes?.length) return null;
  const entries = notes.toReversed().map(({ authorName, createdAt, body, originalBody }) =>
    say({
      who: null,
      title: authorName,
      when: moment(createdAt, clock),
      body: prose(body),
      submitted: originalBody,
    }),
  );
  const older = mayHaveOlder(notes) && html`<p class="meta">Older comments are not shown.</p>`;
  return section({ title: 'Comments' }, html`${older}${stream(entries)}`);
}

function facts({ item, options, links, ownerName }: ArchivedItem, { at }: OpenWorkspace, clock: Clock): Content {
  const names = groupsOf(item.type).flatMap((group) => group.names);
  const values = valuesOf(item, names);
  const choices = { type: item.type, options, targets: [], stored: item, links, ownerName };
  const value = (name: FormName, stored: string): Content => {
    if (kindOf(name) === 'date') return day(stored, clock);
    const text = displayedValue(name, stored, choices, clock);
    const link = isLink(name) && links.find(({ id }) => String(id) === stored);
    return link ? html`<a href="${at}/items/${link.id}">${text}</a>` : text;
  };
  return properties(
    names.map((name) => {
      const stored = values[name];
      return stored ? { label: labelOf(name), value: value(name, stored) } : null;
    }),
  );
}

const restore = (request: PageRequest): Promise<Answer> =>
  submitted(request, restoreItem, (form) => ({ ...idsOf(request), version: form.number('version') }), {
    done: () => ({ redirect: itemPath(request), notice: 'unarchived' }),
    again: (refusal) =>
      show(request, refusal).catch((error: unknown) => {
        // Another user has already restored it.
        if (!(error instanceof Forbidden)) throw error;
        return { redirect: itemPath(request) };
      }),
  });

export const archivedRoutes: PageRoute[] = [{ method: 'POST', path: '/workspaces/:id/items/:itemId/restore', handle: restore }];
