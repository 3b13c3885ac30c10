/** Every form that changes data is made here. This adds the fields that submitted.ts and confirm.ts check. */
import { randomUUID } from 'node:crypto';
import { type Content, type Html, html } from './html.ts';
import { livePost } from './live.ts';

export const fieldNames = { csrf: '_csrf', once: '_once', question: '_ask', sure: '_sure', password: '_password' } as const;

/** Asks the `data-ask` text of the chosen option or box. Without script the route asks (confirm.ts). */
export const asks: Content = html`<input type="hidden" name="${fieldNames.sure}" value="yes" disabled>`;

export interface FormContext {
  basePath: string;
  /** '' on public pages, which have no session to protect. */
  csrf: string;
}

type Value = string | number | Html | null | undefined;
type Hidden = Record<string, Value | readonly string[]>;

export interface PostForm {
  /** Below the context path. */
  action: string;
  /** Carried out once: a second submit changes nothing and leads to the same page. */
  once?: boolean;
  /** Confirmation question before a change that cannot be undone. */
  confirm?: string | null;
  /** Null leaves a field out; a list repeats it. */
  hidden?: Hidden;
  /** For files, and for texts that URL encoding would make too large. */
  multipart?: boolean;
  class?: string;
  id?: string;
  /** Updates without leaving the page. Selector of the part to replace; the next page must contain it too. */
  live?: string;
  /** Default for a form whose hidden fields name a version: after Back, browsers would restore typed values into a newer version and
   *  overwrite it. */
  autocomplete?: 'off';
  data?: Record<string, string | true>;
}

/** ```ts
 *  postForm(request, { action: '/settings/keys/revoke', hidden: { keyId }, confirm: `Revoke ${name}?`, class: 'plain' }, html`<button>Revoke</button>`)
 *  ``` */
export function postForm({ basePath, csrf }: FormContext, form: PostForm, ...content: Content[]): Html {
  const { once, confirm, multipart, autocomplete, hidden = {} } = form;
  const data = Object.entries(form.data ?? {}).map(([name, value]) => attribute(`data-${name}`, value));
  const attributes = [
    attribute('enctype', multipart && 'multipart/form-data'),
    attribute('class', form.class),
    attribute('id', form.id),
    attribute('autocomplete', autocomplete ?? ((hidden.version != null || hidden.revision != null) && 'off')),
    attribute('data-confirm', confirm),
    form.live && livePost(form.live),
    data,
  ];
  const ours = {
    [fieldNames.csrf]: csrf || null,
    [fieldNames.once]: once ? randomUUID() : null,
    [fieldNames.question]: confirm || null,
  };
  return html`<form method="post" action="${basePath}${form.action}"${attributes}>${hiddenFields({ ...ours, ...hidden })}${content}</form>`;
}

const attribute = (name: string, value: string | boolean | null | undefined): Content =>
  value && (value === true ? html` ${name}` : html` ${name}="${value}"`);

const hiddenFields = (values: Hidden): Content =>
  Object.entries(values).map(([name, value]) =>
    [value].flat().map((one) => one != null && html`<input type="hidden" name="${name}" value="${one}">`),
  );
