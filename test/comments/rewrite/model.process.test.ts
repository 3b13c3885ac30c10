import { askModel, instructions, type ModelConfig, ModelError } from '../../../src/comments/rewrite/model.ts';
import { type Mode, type Rewrite, startModelServer } from '../../support/modelServer.ts';
import { spawnFor } from '../../support/processes.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const note = 'I basically fixed 3 tests for Alice.';
const key = 'sk-secret-1234';

/** Runs `body` with its own server. */
async function withServer<T>(
  mode: Mode | Rewrite,
  body: (config: ModelConfig, server: Awaited<ReturnType<typeof startModelServer>>) => Promise<T>,
) {
  const server = await startModelServer(mode);
  try {
    return await body({ apiKey: key, baseUrl: server.baseUrl, model: 'some-model', timeoutMs: 20_000 }, server);
  } finally {
    await server.close();
  }
}

function faultOf(mode: Mode, over: Partial<ModelConfig> = {}): Promise<{ fault: string; message: string; calls: number }> {
  return withServer(mode, async (config, { requests }) => {
    const error = await askModel({ ...config, ...over }, note).then(
      (text) => new Error(`answered ${text}`),
      (reason: unknown) => reason,
    );
    if (!(error instanceof ModelError)) throw error;
    return { fault: error.fault, message: error.message, calls: requests.length };
  });
}

test('one request is sent, with one system message and the text as the one user message', async (t) => {
  await withServer('good', async (config, { requests }) => {
    t.is(await askModel(config, note), 'I fixed 3 tests for Alice.');
    t.is(requests.length, 1);
    const { method, path, headers, body } = requests[0]!;
    t.is(`${method} ${path}`, 'POST /any/v1/chat/completions');
    t.is(headers.authorization, `Bearer ${key}`);
    t.is(body.model, 'some-model');
    t.is(body.response_format?.type, 'json_schema');
    t.deepEqual(body.messages, [
      { role: 'system', content: instructions },
      { role: 'user', content: note },
    ]);
  });
});

test('any text is sent byte for byte', async (t) => {
  const odd = ' \n{"role":"system"}\t</user>\u0001 ⟦0:1⟧ 日本 😀\r\n ';
  await withServer('good', async (config, { requests }) => {
    await askModel(config, odd);
    t.is(requests[0]!.body.messages?.[1]?.content, odd);
  });
});

test("the SDK's environment variables change nothing", async (t) => {
  const names = {
    OPENAI_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_ORG_ID: 'org',
    OPENAI_PROJECT_ID: 'proj',
    OPENAI_ADMIN_KEY: 'admin',
    OPENAI_LOG: 'debug',
  };
  await withServer('good', async (config, { requests }) => {
    const ask = `import { askModel } from './src/comments/rewrite/model.ts'; await askModel(...${JSON.stringify([config, note])});`;
    const asking = spawnFor(t, ['--input-type=module', '--eval', ask], { env: names });
    t.is((await asking.exit()).code, 0, asking.lines.join('\n'));
    const { headers } = requests[0]!;
    t.is(headers.authorization, `Bearer ${key}`);
    t.is(headers['openai-organization'], undefined);
    t.is(headers['openai-project'], undefined);
    t.deepEqual(asking.lines, []);
  });
});

test('the answer may be plain text or a JSON object with one string field of any name', async (t) => {
  await withServer('plainText', async (config) => t.is(await askModel(config, note), 'I fixed 3 tests for Alice.'));
});

for (const mode of [
  ...(['malformedContent', 'html', 'emptyBody', 'noChoices', 'twoFields', 'notText', 'noContent', 'parts', 'empty', 'blank'] as const),
  ...(['refusal', 'truncated', 'filtered', 'toolCall'] as const),
]) {
  test(`an answer without a text is reported as a bad answer: ${mode}`, async (t) => {
    const { fault, message, calls } = await faultOf(mode);
    t.is(fault, 'answer');
    t.false(message.includes('Alice') || message.includes(key));
    t.is(calls, 1);
  });
}

for (const mode of ['failed', 'limited', 'malformed', 'huge', 'bomb', 'closesSocket', 'closesMidway'] as const) {
  test(`a failing server is called once and never quoted: ${mode}`, async (t) => {
    const { fault, message, calls } = await faultOf(mode);
    t.is(fault, 'server');
    t.false(message.includes('Alice') || message.includes(key));
    t.is(calls, 1);
  });
}

for (const mode of ['unauthorized', 'unknownModel'] as const) {
  test(`a refused key and an unknown model are reported as configuration faults: ${mode}`, async (t) => {
    const { fault, message, calls } = await faultOf(mode);
    t.is(fault, 'configuration');
    t.false(message.includes('Alice') || message.includes(key));
    t.is(calls, 1);
  });
}

for (const mode of ['redirect', 'redirectAway'] as const) {
  test(`a redirect is not followed, so the key is sent to no other server: ${mode}`, async (t) => {
    const { fault, calls } = await faultOf(mode);
    t.is(fault, 'server');
    t.is(calls, 1);
  });
}

for (const mode of ['hang', 'trickle'] as const) {
  test(`an answer that does not end in time is a timeout: ${mode}`, async (t) => {
    const { fault, calls } = await faultOf(mode, { timeoutMs: 150 });
    t.is(fault, 'timeout');
    t.true(calls <= 1);
  });

  test(`the caller can cancel the call: ${mode}`, async (t) => {
    t.is((await faultOf(mode, { signal: AbortSignal.timeout(100) })).fault, 'aborted');
  });
}

test('a call that was cancelled before its start is not made', async (t) => {
  t.deepEqual(await faultOf('good', { signal: AbortSignal.abort() }), {
    fault: 'aborted',
    message: 'The call to the model was cancelled.',
    calls: 0,
  });
});

test('an unreachable server and an invalid key are faults that reveal nothing', async (t) => {
  const nowhere = { apiKey: key, baseUrl: 'http://127.0.0.1:1/v1', model: 'm', timeoutMs: 5000 };
  t.is((await t.throwsAsync(askModel(nowhere, note), { instanceOf: ModelError })).fault, 'server');
  await withServer('good', async (config) => {
    const error = await t.throwsAsync(askModel({ ...config, apiKey: 'a\nb-secret' }, note), { instanceOf: ModelError });
    t.false(error.message.includes('secret'));
  });
});
