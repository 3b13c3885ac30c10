/** The OpenAPI 3.1 document, built at start from the routes and the validating schemas (behaviour §5.13). */

import { MOST_AT_ONCE } from '../access/throttle/concurrency.ts';
import type { Config } from '../config.ts';
import { limits } from '../operations/limits.ts';
import { isRecord } from '../values/records.ts';
import { API_VERSION } from '../workspaces/getCapabilities.ts';
import { ErrorBody, responsesOf, sharedResponses } from './openapi/responses.ts';
import { Schemas, webhookOf } from './openapi/schemas.ts';
import { explainWork } from './openapi/work.ts';
import { IDEMPOTENCY_KEY } from './query.ts';
import type { Route } from './routes.ts';

const describe = ({
  rest,
}: Config['limits']) => `Reads workspaces, work items, options, comments, changes and capacity forecasts, and writes items and comments.

- **One credential per request**: a key in \`X-API-Key\` or in \`Authorization: ApiKey\`, or the session cookie of a page on the same origin; a POST by cookie carries \`X-CSRF-Token\` too. Never put a key into a URL.
- **Limits**: ${rest} requests a minute for each key, and for all sessions of a person together; beyond that 429 with \`Retry-After\`. A process runs ${MOST_AT_ONCE} operations of a key, or of one person's sessions, at a time; further ones wait up to 10 seconds. Collections have limits, such as ${limits.labels.most} labels a workspace, ${limits.entries.most} time entries a person and day, and ${limits.blocks.most.toLocaleString('en')} scheduled blocks a person; one more is 409 with what to do.
- **Access** is what the key grants and its user may do, worked out afresh on every call. Absent and inaccessible objects both answer 403.
- **Bodies** are JSON in UTF-8, up to 1 MiB and 32 levels deep. Unknown properties are refused, never ignored. Texts hold no NUL character and no unpaired surrogate; lengths count code points. Dates are days from 0001-01-01 to 9999-12-31.
- **Errors** are \`{error}\`, one sentence that says what to do; the stable code is in \`X-Error-Code\`. An unknown address is 404, another method 405 with \`Allow\`, a session at an address that is not the service's own 421. Nothing is ever redirected.
- **Writes** are not to be retried blindly: after an uncertain answer, send the same body with the same \`Idempotency-Key\` again, or read and reconcile where there was none. It is a UUID, a fresh one for each intended change. For 30 days its retry answers what the first call did, with \`Idempotent-Replayed: true\`; access is checked first, and another body is 409.`;

const tags: Record<Route['tag'], string> = {
  Access: 'The caller and its permissions.',
  Workspaces: 'Workspaces with their statuses, priorities and assignees.',
  Items: 'Tasks, requirements, goals, releases and milestones.',
  Comments: 'Comments on items.',
  Changes: 'The feed of changes, for synchronization.',
  Capacity: 'Forecasts of load and finish dates.',
};

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A REST key, created by an account owner.' },
  authorization: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The same key, as `ApiKey <key>`.' },
  session: { type: 'apiKey', in: 'cookie', name: 'JSESSIONID', description: 'The login session of a page on the same origin.' },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: '`csrfToken` of GET /capabilities; with a session only.' },
};

export function openapi(routes: Route[], config: Pick<Config, 'baseUrl' | 'basePath' | 'https' | 'limits'>) {
  const schemas = new Schemas();
  schemas.describe(ErrorBody, 'output');
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  explainWork(schemas.components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stint',
      version: API_VERSION,
      summary: 'The REST API of a work-management service.',
      description: describe(config.limits),
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Stint', url: `${config.baseUrl}/api/v1/docs` },
    },
    servers: [{ url: `${serverBase(config)}/api/v1`, description: 'The service that serves this document.' }],
    tags: Object.entries(tags)
      .filter(([name]) => routes.some(({ tag }) => tag === name))
      .map(([name, words]) => ({ name, description: words })),
    paths,
    webhooks: { change: webhookOf(schemas) },
    components: { schemas: schemas.components, responses: sharedResponses, securitySchemes },
  };
}

/** Without a public URL there may be several local ones, so the server URL is relative to the document. */
function serverBase({ https, baseUrl, basePath }: Pick<Config, 'baseUrl' | 'basePath' | 'https'>): string {
  return https ? baseUrl : basePath;
}

function operationOf(route: Route, schemas: Schemas) {
  const { method, operation } = route;
  return {
    operationId: operation.name,
    summary: route.summary,
    description: `${route.description}\n\nGrants: ${route.grants}.`,
    tags: [route.tag],
    security: [{ apiKey: [] }, { authorization: [] }, method === 'POST' ? { session: [], csrf: [] } : { session: [] }],
    ...(method === 'GET'
      ? { parameters: parametersOf(route, schemas) }
      : { parameters: [idempotencyKey], requestBody: bodyOf(route, schemas) }),
    responses: responsesOf(schemas.describe(route.answer, 'output'), route),
  };
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of your copy. The answer is 304 if it is still current.',
  schema: { type: 'string' },
  example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
};

const idempotencyKey = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  description: 'Makes retries safe. Use a new UUID for each change and the same one for its retries.',
  schema: { type: 'string', format: 'uuid' },
  example: '7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11',
};

function parametersOf({ operation, example, etag }: Route, schemas: Schemas) {
  const { properties = {}, required = [] } = schemas.describe(operation.input, 'input');
  const [values = {}] = Object.values(example.requests);
  const parameters: object[] = Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = isRecord(property) ? property : {};
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(values[name] === undefined ? {} : { example: values[name] }),
    };
  });
  return etag ? [...parameters, ifNoneMatch] : parameters;
}

function bodyOf({ operation, example }: Route, schemas: Schemas) {
  const examples = Object.fromEntries(Object.entries(example.requests).map(([name, value]) => [name, { summary: name, value }]));
  return { required: true, content: { 'application/json': { schema: schemas.describe(operation.input, 'input'), examples } } };
}
