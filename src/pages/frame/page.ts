import type { Context } from 'koa';
import type { Caller, SessionCaller } from '../../access/caller.ts';
import type { SignedIn } from '../../overviews/signedIn.ts';
import type { PageDeps } from './deps.ts';
import type { Form } from './forms.ts';
import type { Page } from './layout.ts';
import type { FormContext } from './postForm.ts';

export interface PublicRequest extends FormContext {
  ctx: Context;
  deps: PageDeps;
  caller: Caller;
  /** Path parameters. `:id` is a safe positive integer; otherwise the answer is 404. */
  params: Record<string, string>;
  query: URLSearchParams;
  form: Form;
}

export interface PageRequest extends PublicRequest {
  caller: SessionCaller;
  user: SignedIn;
}

/** Path below the context path, with the toast to show there (toast.ts). */
export interface Redirect {
  redirect: string;
  /** A key of `notices`. */
  notice?: string;
  /** Names the change that Undo reverts: a result of `undoOf`. */
  undo?: string;
}

/** The parameters are inserted before the #fragment. */
export function addressOf({ redirect, notice, undo }: Redirect): string {
  if (!notice) return redirect;
  const [page = '', place] = redirect.split('#');
  const told = `${undo ? `undo=${undo}&` : ''}notice=${notice}`;
  return `${page}${page.includes('?') ? '&' : '?'}${told}${place === undefined ? '' : `#${place}`}`;
}

/** A streamed file of any length. */
export interface Lines {
  lines: AsyncIterable<string>;
  /** Person of the data, if no one is signed in (access/throttle/streams.ts). */
  owner?: number;
  type: string;
  name: string;
}

/** A stored file. The bytes are read when they are sent. */
export interface Stored {
  stored: {
    name: string;
    type: string;
    size: number;
    /** Identifies the bytes. */
    tag: string;
    /** False: browsers download it instead of showing it. */
    inline: boolean;
    read(range: { start: number; end: number }): AsyncIterable<Buffer>;
  };
}

export interface Data {
  data: object;
  status?: number;
}

export type Answer = (Page & { status?: number }) | Redirect | { file: Buffer; name: string } | Lines | Stored | Data;

interface Common {
  method: 'GET' | 'POST';
  /** Below the context path, e.g. /workspaces/:id/settings. */
  path: string;
  /** Served only in development. */
  development?: true;
}
export interface PublicRoute extends Common {
  public: true;
  handle(request: PublicRequest): Promise<Answer>;
}
export interface PrivateRoute extends Common {
  public?: undefined;
  /** Answers with a redirect or a file; the layout's data is read only for an error page. */
  bare?: true;
  /** Values of a refused form are not stored (again.ts): for forms with a password or a personal note. */
  keepsNothing?: true;
  /** The form has a file that is streamed: `form.incoming`. Values of a refused form are not stored. */
  uploads?: true;
  handle(request: PageRequest): Promise<Answer>;
}
export type PageRoute = PublicRoute | PrivateRoute;
