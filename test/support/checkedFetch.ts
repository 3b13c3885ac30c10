/** Compares REST answers with the API document, as a validating proxy would: status, headers and body of each, and the request of each
 *  success. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDate } from '../../src/values/dates.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, looked into freely
type Json = any;

export interface Sent {
  method: string;
  /** Path and query below /api/v1, such as `/items?workspaceId=1`. */
  target: string;
  body?: string | undefined;
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws an Error that says how an answer differs from the document. */
export function answerChecker(document: Json): (sent: Sent, answered: Answered) => void {
  // Without inlining and optimizing, compiling takes a third of the time.
  const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true, validateSchema: false, inlineRefs: false, code: { optimize: false } });
  ajv.addFormat('date', isDate);
  ajv.addFormat('date-time', instantShape);
  ajv.addFormat('uuid', uuidShape);
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  // Rewrites references into the document to schemas that ajv knows.
  const known = (schema: Json) => JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'https://api.test/'));
  for (const [name, schema] of Object.entries(known(document.components.schemas)))
    ajv.addSchema(schema as Json, `https://api.test/${name}`);
  const compiled = new Map<Json, ReturnType<typeof ajv.compile>>();

  function matches(schema: Json, value: unknown, what: string) {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(known(schema));
      compiled.set(schema, validate);
    }
    if (!validate(value))
      throw new Error(`${what} does not match the document: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
  }

  function checkHeaders(declared: Json, headers: Headers, what: string) {
    for (const [name, { required, schema }] of Object.entries<Json>(declared ?? {})) {
      const value = headers.get(name);
      if (value === null && required) throw new Error(`${what} has no ${name}`);
      if (value !== null) matches(schema, schema.type === 'integer' ? Number(value) : value, `${what}: ${name}`);
    }
    if (headers.has('x-error-code') && !declared?.['X-Error-Code']) throw new Error(`${what} has an X-Error-Code`);
  }

  function checkBody(declared: Json, { headers, text }: Answered, what: string) {
    if (!declared) {
      if (text !== '') throw new Error(`${what} has a body: ${text}`);
      return;
    }
    if (headers.get('content-type') !== 'application/json; charset=utf-8') throw new Error(`${what} is ${headers.get('content-type')}`);
    matches(declared['application/json'].schema, JSON.parse(text), what);
  }

  function checkRequest(operation: Json, { target, body }: Sent, what: string) {
    const given = Object.fromEntries(new URL(target, 'http://x').searchParams);
    for (const { name, in: place, required, schema } of operation.parameters ?? []) {
      if (place !== 'query') continue;
      if (given[name] === undefined && required) throw new Error(`${what} succeeded without ${name}`);
      if (given[name] !== undefined) matches(schema, schema.type === 'integer' ? Number(given[name]) : given[name], `${what}: ${name}`);
      delete given[name];
    }
    if (Object.keys(given).length > 0) throw new Error(`${what} succeeded with the unknown parameters ${Object.keys(given)}`);
    if (operation.requestBody) matches(operation.requestBody.content['application/json'].schema, JSON.parse(body!), `Body of ${what}`);
  }

  return (sent, answered) => {
    const path = new URL(sent.target, 'http://x').pathname;
    const what = `${sent.method} ${sent.target.slice(0, 200)} -> ${answered.status}`;
    for (const name of ['location', 'access-control-allow-origin', 'set-cookie']) {
      if (answered.headers.has(name)) throw new Error(`${what} has a ${name} header`);
    }
    const operations = document.paths[path];
    const operation = operations?.[sent.method.toLowerCase()];
    if (!operation) return checkNowhere(operations, sent, answered, what);
    const found = operation.responses[answered.status];
    if (!found) throw new Error(`${what} is not declared: ${answered.text.slice(0, 500)}`);
    const declared = found.$ref ? document.components.responses[found.$ref.split('/').at(-1)] : found;
    checkHeaders(declared.headers, answered.headers, what);
    checkBody(declared.content, answered, what);
    if (answered.status === 200) checkRequest(operation, sent, what);
  };

  /** Outside of the document: 404, or 405 with the allowed methods, in the one error format without a code. */
  function checkNowhere(operations: Json, { method }: Sent, answered: Answered, what: string) {
    if (answered.status !== (operations ? 405 : 404))
      throw new Error(`${what} for a request that is not in the document: ${answered.text}`);
    const allowed = operations && Object.keys(operations).join(', ').toUpperCase();
    if (operations && answered.headers.get('allow') !== allowed) throw new Error(`${what} has Allow: ${answered.headers.get('allow')}`);
    if (answered.headers.has('x-error-code')) throw new Error(`${what} has an X-Error-Code`);
    if (method !== 'HEAD') checkBody({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }, answered, what);
  }
}

/** `fetch` for addresses below `apiBase` (…/api/v1) that throws when an answer differs from the document. Follows no redirect. */
export function checkedFetch(document: Json, apiBase: string): typeof fetch {
  const check = answerChecker(document);
  return async (input, init) => {
    const request = new Request(input, { ...init, redirect: 'manual' });
    const body = request.body ? await request.clone().text() : undefined;
    const response = await fetch(request);
    const text = await response.clone().text();
    check(
      { method: request.method, target: request.url.slice(apiBase.length), body },
      { status: response.status, headers: response.headers, text },
    );
    return response;
  };
}
