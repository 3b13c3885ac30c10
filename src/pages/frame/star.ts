/** The star of an item, a saved view or a workspace (behaviour §38.2). */
import type { Star } from '../../items/starSchema.ts';
import { changeStar } from '../../items/stars.ts';
import { iconButton } from './components/button.ts';
import { icon } from './components/icon.ts';
import { option } from './components/palette.ts';
import { type Content, html } from './html.ts';
import type { Answer, PageRequest, PageRoute } from './page.ts';
import { postForm } from './postForm.ts';
import { backOf } from './session.ts';
import { hereOf, submitted } from './submitted.ts';

const isStarred = ({ user }: PageRequest, star: Star): boolean =>
  user.frame?.stars.some(({ kind, id, workspaceId }) => kind === star.kind && id === star.id && workspaceId === star.workspaceId) ?? false;

/** `name`: for screen readers, where a page has several. */
export function starButton(request: PageRequest, star: Star, name: string): Content {
  const on = isStarred(request, star);
  const label = on ? `Remove ${name} from favorites` : `Add ${name} to favorites`;
  return form(request, star, on, iconButton('star', label, { attributes: html` aria-pressed="${on ? 'true' : 'false'}"` }));
}

export function starOption(request: PageRequest, star: Star): Content {
  const on = isStarred(request, star);
  return form(request, star, on, option(on ? 'Remove from favorites' : 'Add to favorites', { icon: icon('star', 's') }));
}

const form = (request: PageRequest, star: Star, on: boolean, content: Content): Content =>
  postForm(
    request,
    { action: '/favorites', hidden: { ...star, on: on ? 'no' : 'yes', back: hereOf(request) }, class: `plain star${on ? ' on' : ''}` },
    content,
  );

const change = (request: PageRequest): Promise<Answer> => {
  const back = backOf(request);
  return submitted(
    request,
    changeStar,
    (sent) => ({ workspaceId: sent.id('workspaceId'), kind: sent.text('kind'), id: sent.id('id'), on: sent.text('on') === 'yes' }),
    {
      done: ({ on }) => ({ redirect: back, notice: on ? 'starred' : 'unstarred' }),
      again: ({ error }) => {
        throw error;
      },
    },
  );
};

export const starRoutes: PageRoute[] = [{ method: 'POST', path: '/favorites', handle: change }];
