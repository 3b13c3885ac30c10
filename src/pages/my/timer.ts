import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { line, type MyContext, mayAnywhere, mayIn, myForm, PATH } from './landing.ts';
import { workField } from './work.ts';

export function startForm({ request, data, forms }: MyContext, refusal?: Refusal): Content {
  if (data.timer) return null;
  if (!mayAnywhere(data, 'time'))
    return html`<p class="meta">You cannot record time in any workspace yet. Ask the owner of a workspace to make you a member.</p>`;
  const fields = forms(`${PATH}/timer/start`);
  const form = myForm(
    request,
    data,
    { action: '/timer/start' },
    html`${workField(fields, data, 'time', refusal)}
${line(fields, 'note', '', html`maxlength="2000" placeholder="optional"`)}
<button>Start timer</button>`,
  );
  return html`<details id="start" class="fields"${fields.refused && html` open`}><summary>${icon('play', 's')}Start a timer</summary>
${form}</details>`;
}

export function switchForm({ request, data, forms }: MyContext, refusal?: Refusal): Content {
  const { timer } = data;
  const action = timer ? '/timer/switch' : '/timer/start';
  const fields = forms(PATH + action);
  const others = data.choices
    .filter(({ id, workspaceId }) => id !== timer?.itemId && mayIn(data, 'time', workspaceId))
    .slice(0, MOST_OFFERED);
  return myForm(
    request,
    data,
    { action, class: 'switch', hidden: { ...(timer && { entryId: timer.id, revision: timer.revision }), back: backIn(request) } },
    html`${
      others.length > 0 &&
      html`<div class="offers">${others.map(
        ({ id, title, workspace }) =>
          html`<button class="opt" name="itemId" value="${id}">${icon('play', 's')}<span class="cut">${title}</span><span class="up">${id} · ${workspace}</span></button>`,
      )}</div>`
    }
${workField(fields, data, 'time', refusal)}
${button(timer ? 'Switch' : 'Start', { kind: 'primary' })}`,
  );
}

const MOST_OFFERED = 8;

/** The page to return to. */
const backIn = ({ query, form }: PageRequest): string | null => form.text('back') || query.get('back');
