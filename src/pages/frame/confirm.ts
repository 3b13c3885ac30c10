/** A question before what can't be undone. The script asks in a dialog and takes the question out of the form (postForm.ts); without
 *  script it arrives here, and is asked on a page of its own (behaviour §12.4). */
import { html } from './html.ts';
import type { Page } from './layout.ts';
import { cameFrom } from './nextPath.ts';
import type { PageRequest } from './page.ts';
import { fieldNames, postForm } from './postForm.ts';

/** The page that asks, holding the form as it was sent; null when there is nothing to ask. */
export function questionOf(request: PageRequest): Page | null {
  const { ctx, deps, basePath, form } = request;
  if (!form.has(fieldNames.question)) return null;
  const fields = form.names
    .filter((name) => name !== fieldNames.question && name !== fieldNames.csrf)
    .flatMap((name) => form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`));
  const answers = html`<button>Yes, go on</button>
<a href="${cameFrom(ctx, deps.config)}" class="btn">No, go back</a>`;
  return {
    title: 'Are you sure?',
    body: html`
<p>${form.text(fieldNames.question)}</p>
${postForm(request, { action: ctx.path.slice(basePath.length), class: 'actions' }, fields, answers)}`,
  };
}
