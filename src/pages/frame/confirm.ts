/** A question before what can't be undone. The script asks in a dialog and takes the question out of the form (postForm.ts); without
 *  script it arrives here, and is asked on a page of its own (behaviour §12.4). */
import { type Content, html } from './html.ts';
import type { Page } from './layout.ts';
import { cameFrom } from './nextPath.ts';
import type { Answer, PageRequest } from './page.ts';
import { fieldNames, postForm } from './postForm.ts';

/** The page that asks, holding the form as it was sent; null when there is nothing to ask. */
export function questionOf(request: PageRequest): Page | null {
  const { form } = request;
  return form.has(fieldNames.question) ? asking(request, form.text(fieldNames.question)) : null;
}

/** The handler of a form whose question depends on what was chosen in it, or on what is stored; null asks nothing. */
export function askedFirst(
  handle: (request: PageRequest) => Promise<Answer>,
  question: (request: PageRequest) => Content | Promise<Content>,
): (request: PageRequest) => Promise<Answer> {
  return async (request) => {
    const words = request.form.has(fieldNames.sure) ? null : await question(request);
    return words === null ? handle(request) : asking(request, words);
  };
}

function asking({ ctx, deps, basePath, csrf, form }: PageRequest, question: Content): Page {
  const fields = form.names
    .filter((name) => name !== fieldNames.question && name !== fieldNames.csrf && name !== fieldNames.sure)
    .flatMap((name) => form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`));
  const answers = html`<button>Continue</button>
<a href="${cameFrom(ctx, deps.config)}" class="btn">Cancel</a>`;
  return {
    title: 'Are you sure?',
    question: true,
    body: html`
${typeof question === 'string' ? html`<p>${question}</p>` : question}
${postForm({ basePath, csrf }, { action: ctx.path.slice(basePath.length), class: 'actions', hidden: { [fieldNames.sure]: 'yes' } }, fields, answers)}`,
  };
}
