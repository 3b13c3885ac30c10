/** Rewrites one progress note: split, ask, check, restore (behaviour §8.7). Knows no database and no job. */
import { type CheckFault, checkRewrite } from './check/check.ts';
import { restorePassages, splitNote } from './excerpts/passages.ts';
import type { ModelConfig, ModelFault } from './model.ts';

/** As in Config.rewrite, with the signal of the job. */
export type RewriteConfig = Omit<ModelConfig, 'apiKey'> & {
  apiKey?: string | undefined;
  /** Nothing may leave the installation: the model is not asked. */
  held?: boolean;
};

/** `passage`: the prose around a bypassed passage has changed what that passage is. */
export type RewriteFault = 'not_configured' | 'held' | 'passage' | ModelFault | CheckFault;

/** A fault names the rule that was broken and no text: it may be logged and stored. */
export type RewriteOutcome = { rewritten: string } | { fault: RewriteFault };

/** To be called by the worker, with no transaction open, for a note that `needsRewriting` and whose model was not called yet: it
 *  makes at most one call and returns within `config.timeoutMs`. Store the outcome on the pending row. Any `fault` means
 *  `rewrite_unavailable` for the caller and that nothing is saved. With `rewritten`, save that text and `text` as its original.
 *  Only what is outside the bypassed passages is sent, and nothing but this text. Never throws for what a server does. */
export async function rewriteNote(config: RewriteConfig, text: string): Promise<RewriteOutcome> {
  const split = splitNote(text);
  if (split.nothingToRewrite) return { rewritten: text };
  const { apiKey, held } = config;
  if (held) return { fault: 'held' };
  if (!apiKey) return { fault: 'not_configured' };
  // Only where a model is configured: its library is a quarter of a worker's modules.
  const { askModel, ModelError } = await import('./model.ts');
  let answer: string;
  try {
    answer = await askModel({ ...config, apiKey }, split.sent);
  } catch (error) {
    if (error instanceof ModelError) return { fault: error.fault };
    throw error;
  }
  const checked = checkRewrite(split.sent, answer, split);
  if (!checked.ok) return { fault: checked.reason };
  const rewritten = restorePassages(answer, split);
  return rewritten === null ? { fault: 'passage' } : { rewritten };
}
