/** Which columns a list shows, remembered for the reader, by saved view or type (behaviour §19.12). */
import { itemTypes } from '../../access/rights.ts';
import { hideColumns } from '../../workspaces/views.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { menu, menuTitle } from '../frame/components/palette.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { backTo, submitted } from '../frame/submitted.ts';
import type { ListPage } from './list.ts';
import { allColumnsOf, columnName, hiddenIn } from './listColumns.ts';

export function columnChooser(page: ListPage): Content {
  const { request, workspace, found, address, change } = page;
  const hidden = hiddenIn(page);
  const all = allColumnsOf(page);
  const offered = all.map(columnName).join(' ');
  const boxes = all.map((column) => {
    const name = columnName(column);
    return html`<label class="opt"><input type="checkbox" name="shown" value="${name}"${!hidden.includes(name) && html` checked`} autocomplete="off"><span class="cut">${column.label}</span></label>`;
  });
  const form = postForm(
    request,
    {
      action: `${workspace.path}/columns`,
      hidden: { type: found.type, view: address.saved, offered, back: change.back },
      live: '#work',
      class: 'ticks',
      data: { apply: true },
    },
    boxes,
    html`<p class="show">${button('Show', { small: true })}</p>`,
  );
  return html`<span class="chip">${menu(icon('eye', 's'), html`${menuTitle('Columns')}${form}`, { end: true, class: 'stays', label: 'Columns' })}</span>`;
}

/** Classes that close the gaps of hidden columns (list.css). */
export const hiddenClasses = (page: ListPage): string => {
  const shown = new Set(allColumnsOf(page).flatMap((column) => (hiddenIn(page).includes(columnName(column)) ? [] : [column.kind])));
  return allColumnsOf(page)
    .filter(({ kind }) => !shown.has(kind))
    .map(({ kind }) => ` no-${kind}`)
    .join('');
};

const choose = (request: PageRequest): Promise<Answer> => {
  const { params, basePath } = request;
  const back = backTo(request.form.text('back'), { basePath }, `/workspaces/${params.id}`);
  return submitted(
    request,
    hideColumns,
    (form) => {
      const shown = form.all('shown');
      return {
        workspaceId: Number(params.id),
        type: itemTypes.find((type) => type === form.text('type')) ?? 'task',
        view: form.text('view') === '' ? null : form.id('view'),
        hidden: form
          .text('offered')
          .split(' ')
          .filter((name) => name !== '' && !shown.includes(name)),
      };
    },
    { done: () => ({ redirect: back }), again: () => ({ redirect: back }) },
  );
};

export const columnRoutes: PageRoute[] = [{ method: 'POST', path: '/workspaces/:id/columns', handle: choose }];
