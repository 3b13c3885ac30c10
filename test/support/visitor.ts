/** A browser without script, for tests of the pages over plain HTTP: keeps cookies, fills in the forms of the page it is on, and follows
 *  the 303 after a POST.
 *
 *  ```ts
 *  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
 *  await ana.go('/settings/keys');
 *  const page = await ana.send('/create', { name: 'CI', grants: ['tasks:read'] });
 *  ```
 */
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { fetchAs } from './fetchAs.ts';
import { PASSWORD } from './password.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

export interface Shown {
  status: number;
  /** Path below the context path, with the query. */
  path: string;
  html: string;
  /** The visible text. Parsed when first read: parsing takes as long as a request. */
  readonly text: string;
  headers: Headers;
}

function shown(status: number, path: string, html: string, headers: Headers): Shown {
  let text: string | undefined;
  return {
    ...{ status, path, html, headers },
    get text() {
      text ??= textOf(parse(html)).replace(/\s+/g, ' ').trim();
      return text;
    },
  };
}

/** Forwarded headers of a router: the requested host name and the scheme. */
interface Router {
  host: string;
  proto: 'http' | 'https';
}

type Values = Record<string, string | string[] | null>;

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;

function elements(node: Node, found: Element[] = []): Element[] {
  if ('tagName' in node) found.push(node);
  if ('childNodes' in node) for (const child of node.childNodes) elements(child, found);
  return found;
}

function textOf(node: Node): string {
  if (node.nodeName === 'script' || node.nodeName === 'style') return '';
  if ('value' in node) return (node as { value: string }).value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** The values that a form sends: hidden and typed values, ticked boxes, chosen options. */
function fieldsOf(form: Element): URLSearchParams {
  const fields = new URLSearchParams();
  for (const element of elements(form)) {
    const name = attribute(element, 'name');
    const off = attribute(element, 'disabled') !== undefined;
    if (!name || off) continue;
    const type = attribute(element, 'type');
    if (element.tagName === 'textarea') fields.append(name, textOf(element));
    else if (element.tagName === 'select') fields.append(name, chosenOf(element));
    else if (element.tagName === 'input' && (type === 'checkbox' || type === 'radio')) {
      if (attribute(element, 'checked') !== undefined) fields.append(name, attribute(element, 'value') ?? 'on');
    } else if (element.tagName === 'input') fields.append(name, attribute(element, 'value') ?? '');
  }
  return fields;
}

function chosenOf(select: Element): string {
  const options = elements(select).filter(({ tagName }) => tagName === 'option');
  const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
  return chosen ? (attribute(chosen, 'value') ?? textOf(chosen)) : '';
}

/** Sign-ins of a process take turns: many at once would exceed the wait for a password check on a busy machine. */
let signInTurn: Promise<unknown> = Promise.resolve();

export class Visitor {
  readonly baseUrl: string;
  readonly #router: Router | undefined;
  /** The value of JSESSIONID. '' without one. */
  cookie = '';
  /** The last Set-Cookie header. */
  setCookie = '';
  at: Shown = shown(0, '', '', new Headers());

  constructor(baseUrl: string, router?: Router) {
    this.baseUrl = baseUrl;
    this.#router = router;
  }

  /** One request without following redirects or changing the current page. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookie) headers.set('Cookie', `JSESSIONID=${this.cookie}`);
    const url = this.baseUrl + path;
    if (!this.#router) return fetch(url, { ...init, headers, redirect: 'manual' });
    headers.set('X-Forwarded-Proto', this.#router.proto);
    return fetchAs(this.#router.host, url, { ...init, headers });
  }

  async go(path: string, init: RequestInit = {}): Promise<Shown> {
    const answer = await this.request(path, init);
    this.setCookie = answer.headers.getSetCookie().find((one) => one.startsWith('JSESSIONID=')) ?? this.setCookie;
    const given = /JSESSIONID=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '');
    if (given) this.cookie = given[1]!;
    const location = answer.headers.get('location');
    const html = await answer.text();
    if (answer.status === 303 && location) return this.go(location.slice(new URL(this.baseUrl).pathname.length) || '/');
    this.at = shown(answer.status, path, html, answer.headers);
    return this.at;
  }

  /** Follows a link of this page, with its Referer. */
  follow(path: string): Promise<Shown> {
    return this.go(path, { headers: { Referer: this.baseUrl + this.at.path } });
  }

  /** The fields of the form on this page whose action ends so. Throws if there is none. `which` picks among several. */
  form(action: string, which: (fields: URLSearchParams) => boolean = () => true): { path: string; fields: URLSearchParams } {
    const all = elements(parse(this.at.html))
      .filter((element) => element.tagName === 'form' && attribute(element, 'action')?.endsWith(action))
      .map((form) => ({ path: attribute(form, 'action')!.slice(new URL(this.baseUrl).pathname.length), fields: fieldsOf(form) }));
    const found = all.find(({ fields }) => which(fields));
    if (!found) throw new Error(`No form ${action} on ${this.at.path}:\n${this.at.text}`);
    return found;
  }

  /** Posts a form of this page, changed by `values` (null removes a field), and follows the redirect. */
  async send(action: string, values: Values = {}, which?: (fields: URLSearchParams) => boolean): Promise<Shown> {
    const { path, fields } = this.form(action, which);
    for (const [name, value] of Object.entries(values)) {
      fields.delete(name);
      for (const one of [value ?? []].flat()) fields.append(name, one);
    }
    return this.post(path, fields);
  }

  /** Signs in through the form. Returns the path of the page after it, without opening it. */
  async signIn(email: string, password: string): Promise<string> {
    await this.go('/sign-in');
    const { path, fields } = this.form('/sign-in');
    fields.set('email', email);
    fields.set('password', password);
    const sent = signInTurn.then(() =>
      this.request(path, { method: 'POST', body: fields, headers: { Origin: new URL(this.baseUrl).origin } }),
    );
    signInTurn = sent.catch(() => {});
    const answer = await sent;
    this.cookie = /JSESSIONID=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
    if (answer.status !== 303 || !this.cookie) throw new Error(`${email} can't sign in: ${answer.status}`);
    return new URL(answer.headers.get('location')!, this.baseUrl).pathname.slice(new URL(this.baseUrl).pathname.length) || '/';
  }

  post(path: string, fields: URLSearchParams, headers: Record<string, string> = {}): Promise<Shown> {
    const referer = this.baseUrl + this.at.path;
    return this.go(path, { method: 'POST', body: fields, headers: { Origin: new URL(this.baseUrl).origin, Referer: referer, ...headers } });
  }

  /** Like send, and confirms if asked. */
  async sendSurely(action: string, values: Values = {}, which?: (fields: URLSearchParams) => boolean): Promise<Shown> {
    await this.send(action, values, which);
    if (!this.at.text.includes('Are you sure?')) throw new Error(`${action} does not ask first:\n${this.at.text}`);
    return this.send(action);
  }
}

/** A visitor who has signed in through the form. */
export async function signedIn(baseUrl: string, email: string, password = PASSWORD): Promise<Visitor> {
  const visitor = new Visitor(baseUrl);
  await visitor.go('/sign-in');
  await visitor.send('/sign-in', { email, password });
  if (!visitor.at.text.includes('Sign out')) throw new Error(`${email} can't sign in:\n${visitor.at.text}`);
  return visitor;
}
