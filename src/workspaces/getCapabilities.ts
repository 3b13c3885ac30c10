/** GET /capabilities, behaviour §5.17: how the caller is authenticated and what the credential may do. */
import { z } from 'zod';
import { grants, grantsOf } from '../access/rights.ts';
import { csrfToken } from '../access/secrets.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readIdentity } from './queries.ts';

const Input = z.strictObject({});

export const Capabilities = z
  .strictObject({
    apiVersion: z.string(),
    authentication: z.strictObject({
      mode: z.enum(['key', 'session']),
      keyName: z.string().nullable(),
      expiresAt: z.iso.datetime().nullable(),
    }),
    actor: z.strictObject({ id: Id, name: z.string() }),
    grants: z.array(z.enum(grants)),
    csrfToken: z.string().nullable().meta({ description: 'For X-CSRF-Token on POST; null for keys, which need none.' }),
  })
  .meta({ id: 'Capabilities' });

export const API_VERSION = '1.0.0';

export function getCapabilities(secretKey: string): Read<z.infer<typeof Input>, z.infer<typeof Capabilities>> {
  return {
    name: 'getCapabilities',
    input: Input,
    async run(tx, caller) {
      const who = await readIdentity(tx, caller);
      return {
        apiVersion: API_VERSION,
        authentication: { mode: caller.kind === 'session' ? 'session' : 'key', keyName: who.key_name, expiresAt: who.expires_at },
        actor: { id: who.user_id, name: who.user_name },
        grants: grantsOf(who.rights),
        csrfToken: caller.kind === 'session' ? csrfToken(secretKey, caller.hash) : null,
      };
    },
  };
}
