/** The one call to the model, over the chat completions API of whatever server `baseUrl` names. Reads no environment and writes no log. */
import OpenAI, { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { boundedFetch } from './boundedFetch.ts';
import { instructions } from './prompt.ts';

export interface ModelConfig {
  apiKey: string;
  /** Up to and without `/chat/completions`; the maker's own server when absent. */
  baseUrl?: string | undefined;
  model: string;
  /** For the call as a whole, the body of the answer included. */
  timeoutMs: number;
  /** Ends the call early: the worker is stopping, or nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

/** `answer`: the server answered with something that is no rewritten note. `server`: an error status or no connection. */
export type ModelFault = 'timeout' | 'aborted' | 'server' | 'answer';

/** The message never holds the key, the note or what the server said. */
export class ModelError extends Error {
  readonly fault: ModelFault;
  constructor(fault: ModelFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

const answerShape = {
  type: 'json_schema',
  json_schema: {
    name: 'rewritten_note',
    strict: true,
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  },
} as const;

function clientFor({ apiKey, baseUrl, timeoutMs }: ModelConfig): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    // What is left out here the SDK takes from the environment; a log level of "debug" there would print notes.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    timeout: timeoutMs,
    maxRetries: 0,
    fetch: boundedFetch,
  });
}

/** A JSON object of one string field, or plain text. */
function textOf(content: string): string {
  if (!content.trimStart().startsWith('{')) return content;
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw new ModelError('answer', 'The model answered with broken JSON.');
  }
  const values = Object.values(parsed as object);
  if (values.length !== 1 || typeof values[0] !== 'string')
    throw new ModelError('answer', 'The model answered with JSON of another shape.');
  return values[0];
}

/** The SDK's types say what a good server sends; this one may be any. */
function readAnswer(completion: unknown): string {
  const [choice, ...more] = (completion as Partial<OpenAI.ChatCompletion> | undefined)?.choices ?? [];
  if (!choice?.message || more.length > 0) throw new ModelError('answer', 'The model did not give one answer.');
  const { content, refusal, tool_calls } = choice.message;
  if (refusal) throw new ModelError('answer', 'The model refused.');
  if (choice.finish_reason !== 'stop') throw new ModelError('answer', 'The model did not finish its answer.');
  if (typeof content !== 'string' || tool_calls?.length)
    throw new ModelError('answer', 'The model answered with something else than text.');
  const text = textOf(content).trim();
  if (text === '') throw new ModelError('answer', 'The model answered with nothing.');
  return text;
}

function toModelError(error: unknown, deadline: AbortSignal, signal: AbortSignal | undefined): ModelError {
  if (error instanceof ModelError) return error;
  if (signal?.aborted) return new ModelError('aborted', 'The call to the model was given up.');
  if (deadline.aborted || error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return new ModelError('timeout', 'The model did not answer in time.');
  }
  const status = error instanceof APIError ? error.status : undefined;
  return new ModelError('server', status ? `The model's server answered ${status}.` : "The model's server can't be used.");
}

/** Asks once, without a retry, and returns the model's text without the space around it. The user message is exactly `text`.
 *  Throws ModelError on everything else: an error status, a redirect, a timeout, a refusal, an answer that is cut off, empty or no text. */
export async function askModel(config: ModelConfig, text: string): Promise<string> {
  // The SDK's own timeout starts anew at some stages: this one is for the whole.
  const deadline = AbortSignal.timeout(config.timeoutMs);
  const signal = config.signal ? AbortSignal.any([config.signal, deadline]) : deadline;
  try {
    const completion = await clientFor(config).chat.completions.create(
      {
        model: config.model,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: text },
        ],
        response_format: answerShape,
      },
      { signal },
    );
    return readAnswer(completion);
  } catch (error) {
    throw toModelError(error, deadline, config.signal);
  }
}
