import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { getContext } from './getContext.ts';
import { ownKeyHash } from './queries.ts';

const Input = z.strictObject({ connectionId: Id });

/** The answer of svc_context to a person's own agent now, with its key's hash in place of the key (behaviour §7.51). Throws Forbidden for
 *  others, and for revoked and expired ones. */
export const tryConnection: Read<z.infer<typeof Input>, object> = {
  name: 'tryConnection',
  input: Input,
  async run(tx, caller, { connectionId }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const hash = await ownKeyHash(tx, caller, connectionId);
    if (hash === null) throw new Forbidden();
    return getContext.run(tx, { kind: 'agent', hash }, {});
  },
};
