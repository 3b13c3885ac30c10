/** Forms that count once, however often they are sent: doubly, by reloading the answer, or again after an answer that was lost. The
 *  first change claims the form in its own commit (perform.ts), so that a form whose change failed can be sent again; a twin is led to
 *  where the first one went. */
import { hash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { findSentForm, keepWay } from '../../accounts/sessionQueries.ts';
import { Conflict } from '../../values/errors.ts';
import { type Answer, addressOf, type PageRequest } from './page.ts';

type Handle = (request: PageRequest) => Promise<Answer>;

const LOOKS = 10;
const BETWEEN_MS = 100;

/** A form is the same one when it holds the same: gone back to and changed, it is another. */
function keyOf({ ctx, form }: PageRequest): string {
  const values = form.names.filter((name) => name !== '_csrf').map((name) => [name, form.all(name)]);
  return hash('sha256', JSON.stringify([ctx.path, values, form.upload?.name, form.upload?.size]), 'base64url');
}

/** Handles the form, or answers as it was answered before. Throws Conflict for what was shown only then. */
export async function once(request: PageRequest, handle: Handle): Promise<Answer> {
  if (!request.form.has('_once')) return handle(request);
  const nonce = keyOf(request);
  const earlier = await answerOfTwin(request, nonce);
  if (earlier) return earlier;
  const answer = await handled({ ...request, caller: { ...request.caller, once: nonce } }, handle, nonce);
  // It is done: a key must be shown, whatever becomes of this.
  if (!isRefusal(answer)) await keepWay(request.deps.db.pool(), request.caller.hash, nonce, wayOf(answer)).catch(() => {});
  return answer;
}

/** What goes wrong because a twin was quicker is not told: its answer is ours. */
async function handled(request: PageRequest, handle: Handle, nonce: string): Promise<Answer> {
  try {
    const answer = await handle(request);
    return isRefusal(answer) ? ((await answerOfTwin(request, nonce)) ?? answer) : answer;
  } catch (error) {
    const twin = await answerOfTwin(request, nonce).catch((found) => {
      if (found instanceof Conflict) throw found;
      return null;
    });
    if (twin) return twin;
    throw error;
  }
}

const isRefusal = (answer: Answer): boolean => 'status' in answer && (answer.status ?? 200) >= 400;
const wayOf = (answer: Answer): string => ('redirect' in answer ? addressOf(answer) : '');

/** Null when no change has counted this form yet. A twin that has just committed says in a moment where it went. */
async function answerOfTwin({ deps, caller }: PageRequest, nonce: string): Promise<Answer | null> {
  for (let look = 1; ; look++) {
    const sent = await findSentForm(deps.db.pool(), caller.hash, nonce);
    if (!sent) return null;
    if (sent.way) return { redirect: sent.way };
    if (sent.way === '' || look === LOOKS) throw sentBefore();
    await after(BETWEEN_MS);
  }
}

const sentBefore = () =>
  new Conflict(
    'This form has been sent already and is not carried out twice. Look whether the change is there; a key is shown only once, so one that you could not copy has to be replaced.',
  );
