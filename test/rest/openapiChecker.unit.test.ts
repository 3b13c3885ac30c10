/** Tests the checker of answers: it accepts right answers and names the faults of others. */
import { Listener } from '../../src/database/listen.ts';
import { examples } from '../../src/rest/examples.ts';
import { openapi } from '../../src/rest/openapi.ts';
import { restRoutes } from '../../src/rest/routes.ts';
import { type Answered, answerChecker } from '../support/checkedFetch.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const document = openapi(restRoutes({ secretKey: 'x', listener: new Listener('not used') }), {
  baseUrl: 'https://work.acme.test',
  basePath: '',
  https: true,
  limits: { rest: 600, mcp: 300, pages: 600, signIn: 10 },
});
const check = answerChecker(JSON.parse(JSON.stringify(document)));

const always = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': '7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11',
  'ratelimit-limit': '600',
  'ratelimit-remaining': '599',
  'ratelimit-reset': '60',
};
const answered = (status: number, body: unknown, headers: Record<string, string> = {}): Answered => ({
  status,
  headers: new Headers({ ...always, ...headers }),
  text: JSON.stringify(body),
});
const read = { method: 'GET', target: '/comments?workspaceId=1&id=42' };
const comments = examples.comments.answer;

test('an answer that matches the document passes', (t) => {
  t.notThrows(() => check(read, answered(200, comments)));
  t.notThrows(() => check(read, answered(403, { error: 'No.' }, { 'x-error-code': 'forbidden' })));
});

test('a body that differs is refused', (t) => {
  t.throws(() => check(read, answered(200, { comments: [{ id: 1, body: 'x' }] })), { message: /createdAt/ });
  t.throws(() => check(read, answered(200, { ...comments, more: 1 })), { message: /additional/ });
  t.throws(() => check(read, answered(403, { error: 'No.', code: 1 }, { 'x-error-code': 'forbidden' })), { message: /additional/ });
});

test('a missing, wrong or misplaced header is refused', (t) => {
  t.throws(() => check(read, answered(200, comments, { 'ratelimit-limit': 'many' })), { message: /RateLimit-Limit/ });
  t.throws(() => check(read, answered(403, { error: 'No.' })), { message: /no X-Error-Code/ });
  t.throws(() => check(read, answered(403, { error: 'No.' }, { 'x-error-code': 'unavailable' })), { message: /X-Error-Code/ });
  t.throws(() => check(read, answered(503, { error: 'No.' }, { 'x-error-code': 'unavailable' })), { message: /no Retry-After/ });
  t.throws(() => check(read, answered(200, comments, { 'content-type': 'text/plain' })), { message: /text\/plain/ });
});

test('an undeclared status is refused', (t) => {
  t.throws(() => check(read, answered(500, { error: 'No.' })), { message: /not declared/ });
  t.throws(() => check({ method: 'GET', target: '/nowhere' }, answered(200, {})), { message: /not in the document/ });
});

test('success for a request that the document does not allow is refused', (t) => {
  t.throws(() => check({ ...read, target: '/comments?workspaceId=1' }, answered(200, comments)), { message: /without id/ });
  t.throws(() => check({ ...read, target: `${read.target}&x=1` }, answered(200, comments)), { message: /unknown parameters x/ });
  const write = { method: 'POST', target: '/comments', body: JSON.stringify({ workspaceId: 1, id: 42 }) };
  t.throws(() => check(write, answered(200, examples.addComment.answer)), { message: /body/ });
});
