/** Forms that change something are made here alone, so that none goes without what is asked of it when it arrives (posted.ts, once.ts,
 *  confirm.ts). */
import { randomUUID } from 'node:crypto';
import { type Content, type Html, html } from './html.ts';
import { livePost } from './live.ts';

/** Names of fields that the frame writes and reads. */
export const fieldNames = { csrf: '_csrf', once: '_once', question: '_ask', sure: '_sure', secret: '_secret' } as const;

/** For a form whose question hangs on what is chosen in it: the script asks what the chosen option or box has as `data-ask`, without script
 *  the route does (confirm.ts). */
export const asks: Content = html`<input type="hidden" name="${fieldNames.sure}" value="yes" disabled>`;

/** What a form takes from the page that it stands on; every page request has it. */
export interface FormContext {
  basePath: string;
  /** '' on pages for everybody, where there is no session to protect. */
  csrf: string;
}

type Hidden = Record<string, string | number | Html | null | undefined>;

export interface PostForm {
  /** Below the context path. */
  action: string;
  /** It counts once: sent twice or reloaded, it changes nothing more and leads to the same place. */
  once?: boolean;
  /** A question before what can't be undone: the script asks it in a dialog, without script it is asked on a page of its own. */
  confirm?: string | null;
  /** Values that go along; null leaves one out. */
  hidden?: Hidden;
  /** May bring a file, or a text so long that it would outgrow the limit when percent-encoded. */
  multipart?: boolean;
  class?: string;
  /** So that buttons elsewhere can send it. */
  id?: string;
  /** Without leaving the page: the selector of the part that is another one afterwards, which the page gone to has as well. */
  live?: string;
  autocomplete?: 'off';
  /** data-NAME, for the script of the page. */
  data?: Record<string, string | true>;
}

/** ```ts
 *  postForm(request, { action: '/settings/keys/revoke', hidden: { keyId }, confirm: `Revoke ${name}?`, class: 'plain' }, html`<button>Revoke</button>`)
 *  ``` */
export function postForm(
  { basePath, csrf }: Pick<FormContext, 'basePath'> & { csrf: string | Html },
  form: PostForm,
  ...content: Content[]
): Html {
  const { once, confirm, multipart, autocomplete, hidden = {} } = form;
  const data = Object.entries(form.data ?? {}).map(([name, value]) => attribute(`data-${name}`, value));
  const inside = html`${content}`;
  const attributes = [
    attribute('enctype', multipart && 'multipart/form-data'),
    attribute('class', form.class),
    attribute('id', form.id),
    attribute('autocomplete', autocomplete ?? (isBased(hidden, inside) && 'off')),
    attribute('data-confirm', confirm),
    form.live && livePost(form.live),
    data,
  ];
  // Nothing of it is kept when it is refused (again.ts); what people typed has no bare quotes.
  const secret = inside.text.includes('type="password"') ? 'yes' : null;
  const ours = {
    [fieldNames.secret]: secret,
    [fieldNames.csrf]: csrf || null,
    [fieldNames.once]: once ? randomUUID() : null,
    [fieldNames.question]: confirm || null,
  };
  return html`<form method="post" action="${basePath}${form.action}"${attributes}>${hiddenFields({ ...ours, ...hidden })}${inside}</form>`;
}

/** It changes a version of something. Gone back to, a browser would put what was typed before into the form of a newer version, over what
 *  others have written, and nobody would be told of a conflict. */
const isBased = ({ version, revision }: Hidden, { text }: Html): boolean =>
  version != null || revision != null || text.includes('name="version"');

const attribute = (name: string, value: string | boolean | null | undefined): Content =>
  value && (value === true ? html` ${name}` : html` ${name}="${value}"`);

const hiddenFields = (values: Hidden): Content =>
  Object.entries(values).map(([name, value]) => value != null && html`<input type="hidden" name="${name}" value="${value}">`);
