/** The one call to the model, over the chat completions API of whatever server `baseUrl` names. Reads no environment and writes no log. */
import OpenAI, { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
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

/** Why there is no text. Neither name nor message ever holds the key, the note or what the server said. */
const faults = {
  timeout: 'The model did not answer in time.',
  aborted: 'The call to the model was given up.',
  configuration: "The model's server refused the key, or does not know the model.",
  server: "The model's server answered with an error, or can't be reached.",
  answer: 'The model did not answer with one finished text.',
};
export type ModelFault = keyof typeof faults;

export class ModelError extends Error {
  readonly fault: ModelFault;
  constructor(fault: ModelFault) {
    super(faults[fault]);
    this.fault = fault;
  }
}

const answerShape = zodResponseFormat(z.object({ text: z.string() }), 'rewritten_note');

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

/** One finished answer of text. The SDK's types say what a good server sends; this one may be any. */
const Completion = z.object({
  choices: z.tuple([
    z.object({
      finish_reason: z.literal('stop'),
      message: z.object({ content: z.string(), refusal: z.literal('').nullish(), tool_calls: z.array(z.never()).nullish() }),
    }),
  ]),
});

/** The text of an answer that is a JSON object of one string field, or plain text; throws on any other. */
function textOf(completion: unknown): string {
  const { content } = Completion.parse(completion).choices[0].message;
  const fields = content.trimStart().startsWith('{') ? Object.values(JSON.parse(content) as object) : [content];
  return z.tuple([z.string().trim().min(1)]).parse(fields)[0];
}

function faultOf(error: unknown, deadline: AbortSignal, signal: AbortSignal | undefined): ModelFault {
  if (signal?.aborted) return 'aborted';
  if (deadline.aborted || error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) return 'timeout';
  return error instanceof APIError && [401, 403, 404].includes(error.status) ? 'configuration' : 'server';
}

async function complete(config: ModelConfig, text: string, signal: AbortSignal): Promise<unknown> {
  return clientFor(config).chat.completions.create(
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
}

/** Asks once, without a retry, and returns the model's text without the space around it. The user message is exactly `text`.
 *  Throws ModelError on everything else: an error status, a redirect, a timeout, a refusal, an answer that is cut off, empty or no text. */
export async function askModel(config: ModelConfig, text: string): Promise<string> {
  // The SDK's own timeout starts anew at some stages: this one is for the whole.
  const deadline = AbortSignal.timeout(config.timeoutMs);
  const signal = config.signal ? AbortSignal.any([config.signal, deadline]) : deadline;
  const completion = await complete(config, text, signal).catch((error: unknown) => {
    throw new ModelError(faultOf(error, deadline, config.signal));
  });
  try {
    return textOf(completion);
  } catch {
    throw new ModelError('answer');
  }
}
