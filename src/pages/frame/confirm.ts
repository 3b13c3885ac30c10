/** A question before what can't be undone. A form says `data-confirm="Revoke it?"` and nothing more: the script asks in a dialog and takes
 *  the question out of the form; without script it arrives here, and is asked on a page of its own (behaviour §12.4). */
import type { Context } from 'koa';
import type { Form } from './forms.ts';
import { Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { cameFrom } from './nextPath.ts';
import type { PageDeps } from './page.ts';

const QUESTION = '_ask';

/** Every question goes along as a field. Attributes are escaped, so the pattern can't end inside a value. */
export function withQuestions(page: Html): Html {
  return new Html(
    page.text.replace(/<form\b[^<>]*\bdata-confirm="([^"]*)"[^<>]*>/g, `$&<input type="hidden" name="${QUESTION}" value="$1">`),
  );
}

/** The page that asks, holding the form as it was sent; null when there is nothing to ask. */
export function questionOf(ctx: Context, { config }: PageDeps, form: Form): Page | null {
  if (!form.has(QUESTION)) return null;
  const fields = form.names
    .filter((name) => name !== QUESTION)
    .flatMap((name) => form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`));
  return {
    title: 'Are you sure?',
    body: html`
<p>${form.text(QUESTION)}</p>
<form method="post" action="${ctx.path}" class="actions">${fields}
<button>Yes, go on</button>
<a href="${cameFrom(ctx, config.basePath)}" role="button" class="secondary outline">No, go back</a>
</form>`,
  };
}
