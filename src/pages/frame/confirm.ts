/** Confirmation before a change that cannot be undone. Without script the server asks on a separate page (behaviour §12.4). */
import { type Content, html } from './html.ts';
import type { Page } from './layout.ts';
import type { Answer, PageRequest } from './page.ts';
import { fieldNames, postForm } from './postForm.ts';
import { cameFrom } from './session.ts';

/** Null if the form has no question. */
export function questionOf(request: PageRequest): Page | null {
  const { form } = request;
  return form.has(fieldNames.question) ? asking(request, form.text(fieldNames.question)) : null;
}

/** Wraps a form handler whose question depends on the chosen values or stored data. Null: no confirmation. */
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
  const { question: asks, csrf: token, sure } = fieldNames;
  const hidden = { ...form.without(asks, token, sure), [sure]: 'yes' };
  const answers = html`<button>Continue</button>
<a href="${cameFrom(ctx, deps.config)}" class="btn">Cancel</a>`;
  return {
    title: 'Are you sure?',
    question: true,
    body: html`
${typeof question === 'string' ? html`<p>${question}</p>` : question}
${postForm({ basePath, csrf }, { action: ctx.path.slice(basePath.length), class: 'actions', hidden }, answers)}`,
  };
}
