/** `/live` streams changes; `/live/since` tells if there were any (behaviour §31). Needs a session; keys are ignored. Requests do not count
 *  as use of the session. */
import type { Context } from 'koa';
import type { SessionCaller } from '../../access/caller.ts';
import { answerAppError, answerError, answerJson } from '../../http/answer.ts';
import { openPlace, sealPlace } from '../../live/place.ts';
import { changedSince, type Since } from '../../live/since.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { asAppError } from '../../operations/refusals.ts';
import { Unauthenticated, Unavailable } from '../../values/errors.ts';
import type { PageDeps } from '../frame/deps.ts';
import type { PageRoute } from '../frame/page.ts';
import { sessionOf } from '../frame/session.ts';
import { backTo } from '../frame/submitted.ts';
import { ResponseStream } from './stream.ts';

/** Seconds for which a client polls when no stream is free. */
const FULL_SECONDS = 60;

/** Returns false for other paths. */
export async function serveLive(ctx: Context, deps: PageDeps): Promise<boolean> {
  const path = ctx.path.slice(deps.config.basePath.length);
  if (path !== '/live' && path !== '/live/since') return false;
  ctx.state.operation = `GET ${path}`;
  try {
    const caller = await sessionOf(ctx, deps);
    if (!caller) throw new Unauthenticated('Sign in.');
    await (path === '/live' ? stream : answerSince)(ctx, deps, caller);
  } catch (error) {
    // Scripts read these answers.
    if (error instanceof Unauthenticated) answerError(ctx, 401, 'Sign in.');
    else answerAppError(ctx, asAppError(error));
  }
  return true;
}

const since = async (ctx: Context, { db, config }: PageDeps, caller: SessionCaller): Promise<Since> => {
  const place = ctx.get('Last-Event-ID') || new URLSearchParams(ctx.querystring).get('place') || '';
  ctx.state.caller = caller;
  return outputOf(await perform(db, caller, changedSince, { since: openPlace(config, place) }));
};

async function answerSince(ctx: Context, deps: PageDeps, caller: SessionCaller): Promise<void> {
  const { changed, own, place } = await since(ctx, deps, caller);
  answerJson(ctx, 200, JSON.stringify({ changed, own, place: sealPlace(deps.config.secretKey, place) }));
}

/** Subscribes before reading past changes, so that none is missed. */
async function stream(ctx: Context, deps: PageDeps, caller: SessionCaller): Promise<void> {
  const { hub, identities, config } = deps;
  if (hub.isFull) throw new Unavailable('The server has too many open pages. Poll instead.', FULL_SECONDS);
  const { identity } = await identities.find(caller);
  const opened = new ResponseStream(ctx.res, { ...identity, sessionId: identity.credentialId });
  if (!(await hub.add(opened))) throw new Unavailable('You have too many open pages. Poll instead.', FULL_SECONDS);
  try {
    const { changed, own, place } = await since(ctx, deps, caller);
    ctx.state.identity = identity;
    hub.startAt(place);
    opened.begin(ctx, sealPlace(config.secretKey, place), { changed, own }, () => hub.remove(opened));
  } catch (error) {
    hub.remove(opened);
    throw error;
  }
}

/** /live/frame: timer and sidebar for pages whose body is not updated live (behaviour §31.9). `at`: return path of the timer's forms. */
export const frameRoutes: PageRoute[] = [
  {
    method: 'GET',
    path: '/live/frame',
    handle: async (request) => ({ title: 'Around the page', body: null, at: backTo(request.query.get('at'), request, '/') }),
  },
];
