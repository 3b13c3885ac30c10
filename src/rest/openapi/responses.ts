/** Responses and headers that all operations share: behaviour §5.8, §5.11. */
import { z } from 'zod';
import { requestIdShape } from '../../http/requestLog.ts';
import { Forbidden, RateLimited, Unauthenticated, Unavailable, VersionConflict } from '../../values/errors.ts';
import type { Route } from '../routes.ts';

export const ErrorBody = z
  .strictObject({
    error: z.string().meta({ description: 'What happened and what to do. The stable code is in the header X-Error-Code.' }),
  })
  .meta({ id: 'Error' });

const whole = (description: string, minimum: number) => ({ description, schema: { type: 'integer', minimum } });

export const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one.',
    schema: { type: 'string', pattern: requestIdShape.source },
  },
  'RateLimit-Limit': whole('Requests that the credential may make per minute.', 1),
  'RateLimit-Remaining': whole('Requests left until the limit resets.', 0),
  'RateLimit-Reset': whole('Seconds until the limit resets.', 1),
  'Retry-After': whole('Seconds to wait before a retry.', 1),
  'WWW-Authenticate': { description: 'The scheme to authenticate with.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'Nothing was changed. This is the answer to the first call with this Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: { description: "Depends on the answer, and therefore on the caller's access.", schema: { type: 'string', pattern: '^"[^"]+"$' } },
} as const;
type HeaderName = keyof typeof headers;

const rateLimits: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

interface ErrorAnswer {
  name: string;
  description: string;
  code: string;
  example: string;
  always: HeaderName[];
  sometimes: HeaderName[];
}

// A request without a valid credential, or over plain http, is refused before it counts.
const errors: Record<number, ErrorAnswer> = {
  400: {
    name: 'InvalidRequest',
    description: 'The input is invalid. The message names the field or parameter.',
    code: 'invalid_request',
    example: 'workspaceId: give an id: a whole number from 1 to 9007199254740991.',
    always: rateLimits,
    sometimes: [],
  },
  401: {
    name: 'Unauthenticated',
    description: 'The credential is missing, invalid, expired or given twice.',
    code: 'unauthenticated',
    example: new Unauthenticated('Send a REST key as X-API-Key: <key> or Authorization: ApiKey <key>.').message,
    always: ['WWW-Authenticate'],
    sometimes: rateLimits,
  },
  403: {
    name: 'Forbidden',
    description:
      'The object does not exist, or the key or its user has no access. Both cases get the same answer. Lists, options, capacity and creations name the grants that the key lacks, such as `The key needs milestones:read`; `GET /item` and updates name none.',
    code: 'forbidden',
    example: new Forbidden().message,
    always: [],
    sometimes: rateLimits,
  },
  409: {
    name: 'VersionConflict',
    description: 'The item has changed since it was read, or the Idempotency-Key was used for another change. Read again and reconcile.',
    code: 'version_conflict',
    example: new VersionConflict(42, 8).message,
    always: rateLimits,
    sometimes: [],
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests. Wait as long as Retry-After says.',
    code: 'rate_limited',
    example: new RateLimited(12).message,
    always: [...rateLimits, 'Retry-After'],
    sometimes: [],
  },
  503: {
    name: 'Unavailable',
    description: 'Temporarily unavailable. Retry a write with its Idempotency-Key, or read and reconcile first.',
    code: 'unavailable',
    example: new Unavailable().message,
    always: ['Retry-After'],
    sometimes: rateLimits,
  },
};

function headersOf(always: HeaderName[], sometimes: HeaderName[] = []) {
  const required = ['X-Request-Id' as const, ...always].map((name) => [name, { ...headers[name], required: true }]);
  return Object.fromEntries([...required, ...sometimes.map((name) => [name, headers[name]])]);
}

export const sharedResponses = Object.fromEntries([
  ...Object.values(errors).map(({ name, description, code, example, always, sometimes }) => [
    name,
    {
      description,
      headers: {
        'X-Error-Code': { description: 'The stable code of the error.', required: true, schema: { type: 'string', const: code } },
        ...headersOf(always, sometimes),
      },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { error: example } } },
    },
  ]),
  ['NotModified', { description: 'Your copy, named by If-None-Match, is current.', headers: headersOf([...rateLimits, 'ETag']) }],
]);

export function responsesOf(answer: object, { method, example, etag }: Pick<Route, 'method' | 'example' | 'etag'>) {
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    200: {
      description: 'Done.',
      headers: headersOf(etag ? [...rateLimits, 'ETag'] : rateLimits, method === 'POST' ? ['Idempotent-Replayed'] : []),
      content: { 'application/json': { schema: answer, example: example.answer } },
    },
    ...(etag ? { 304: ref('NotModified') } : {}),
    ...Object.fromEntries(Object.entries(errors).map(([status, { name }]) => [status, ref(name)])),
  };
}
