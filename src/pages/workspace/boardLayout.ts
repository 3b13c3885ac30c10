/** Grouping, order and open columns of a board, remembered for the reader (behaviour §38.4). */
import { itemTypes } from '../../access/rights.ts';
import { arrangeBoard } from '../../workspaces/views.ts';
import type { Content, Html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { backTo, submitted } from '../frame/submitted.ts';
import { withoutLayout } from './boardAddress.ts';
import type { ListPage } from './list.ts';

/** Saved views keep their own in the address. */
export const isRemembered = ({ address }: ListPage): boolean => address.view === 'board' && address.saved === '';

/** Its buttons send `group` or `sort`; `open` names the open columns. */
export const layoutForm = ({ request, workspace, found, change }: ListPage, { open }: { open?: string[] }, content: Content): Html =>
  postForm(
    request,
    {
      action: `${workspace.path}/board`,
      hidden: { type: found.type, back: withoutLayout(change.back), ...(open && { open: open.join(' ') }) },
      live: '#work',
      class: 'layout',
    },
    content,
  );

const arrange = (request: PageRequest): Promise<Answer> => {
  const { params, basePath, form } = request;
  const back = backTo(form.text('back'), { basePath }, `/workspaces/${params.id}?view=board`);
  return submitted(
    request,
    arrangeBoard,
    (sent) => ({
      workspaceId: Number(params.id),
      type: itemTypes.find((type) => type === sent.text('type')) ?? 'task',
      layout: {
        ...(sent.has('group') && { group: sent.text('group') }),
        ...(sent.has('sort') && { sort: sent.text('sort') }),
        ...(sent.has('open') && { open: sent.text('open').split(' ').filter(Boolean) }),
      },
    }),
    { done: () => ({ redirect: back }), again: () => ({ redirect: back }) },
  );
};

export const boardLayoutRoutes: PageRoute[] = [{ method: 'POST', path: '/workspaces/:id/board', handle: arrange }];
