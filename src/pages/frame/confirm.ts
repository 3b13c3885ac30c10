/** A question before what can't be undone. The script asks in a dialog and takes the question out of the form (postForm.ts); without
 *  script it arrives here, and is asked on a page of its own (behaviour §12.4). */
import { html } from './html.ts';
import type { Page } from './layout.ts';
import { cameFrom } from './nextPath.ts';
import type { Answer, PageRequest } from './page.ts';
import { fieldNames, postForm } from './postForm.ts';

/** The page that asks, holding the form as it was sent; null when there is nothing to ask. */
export function questionOf(request: PageRequest): Page | null {
  const { form } = request;
  return form.has(fieldNames.question) ? asking(request, form.text(fieldNames.question)) : null;
}

/** The handler of a form whose question hangs on what was chosen in it; null asks nothing. */
export function askedFirst(
  handle: (request: PageRequest) => Promise<Answer>,
  question: (request: PageRequest) => string | null,
): (request: PageRequest) => Promise<Answer> {
  return async (request) => {
    const words = request.form.has(fieldNames.sure) ? null : question(request);
    return words === null ? handle(request) : asking(request, words);
  };
}

function asking({ ctx, deps, basePath, csrf, form }: PageRequest, question: string): Page {
  const fields = form.names
    .filter((name) => name !== fieldNames.question && name !== fieldNames.csrf && name !== fieldNames.sure)
    .flatMap((name) => form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`));
  const answers = html`<button>Yes, go on</button>
<a href="${cameFrom(ctx, deps.config)}" class="btn">No, go back</a>`;
  return {
    title: 'Are you sure?',
    question: true,
    body: html`
<p>${question}</p>
${postForm({ basePath, csrf }, { action: ctx.path.slice(basePath.length), class: 'actions', hidden: { [fieldNames.sure]: 'yes' } }, fields, answers)}`,
  };
}
