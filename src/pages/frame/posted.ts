import type { Context } from 'koa';
import type { SessionCaller } from '../../access/caller.ts';
import { isCsrfToken } from '../../access/csrf.ts';
import { isOwnOrigin } from '../../http/address.ts';
import { AppError } from '../../values/errors.ts';
import { Form, readForm } from './forms.ts';
import type { PageDeps } from './page.ts';
import { fieldNames } from './postForm.ts';

const notOurs = () => new AppError('forbidden', 'This form is out of date. Reload the page, then send it again.');

/** The form of a POST; empty otherwise. Throws Forbidden unless one of our pages sent it. Public pages (`caller` null) have no CSRF
 *  token. */
export async function checkedForm(ctx: Context, deps: PageDeps, caller: SessionCaller | null): Promise<Form> {
  if (ctx.method !== 'POST') return new Form({});
  requireOwnOrigin(ctx, deps);
  const form = await readForm(ctx, caller ? 'member' : 'anybody');
  if (caller && !isCsrfToken(deps.config, caller.hash, form.raw(fieldNames.csrf))) throw notOurs();
  return form;
}

function requireOwnOrigin(ctx: Context, { config }: PageDeps): void {
  const { origin } = ctx.req.headers;
  // Sandboxed frames send `null`. Our own pages always send their origin.
  if (origin !== undefined && !isOwnOrigin(config.origin, ctx, origin)) throw notOurs();
  const site = ctx.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin' && site !== 'none') throw notOurs();
}
