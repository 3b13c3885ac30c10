import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const bytes = z.instanceof(Buffer);
const Sealed = z.object({ id: z.number(), workspaceId: z.number(), secret: bytes, oldSecret: bytes.nullable() });

export function readSealed(tx: Tx, after: number): Promise<readonly z.infer<typeof Sealed>[]> {
  return tx.any(sql.type(Sealed)`
    select id, workspace_id as "workspaceId", secret, old_secret as "oldSecret" from webhooks
    where id > ${after} and revoked_at is null order by id limit 500`);
}

/** Returns the number of updated rows: 0 if the secret was rotated meanwhile. */
export async function resealed(tx: Tx, id: number, { was, secret, oldSecret }: { was: Buffer; secret: Buffer; oldSecret: Buffer | null }) {
  const { rowCount } = await tx.query(sql.unsafe`
    update webhooks set secret = ${sql.binary(secret)}, old_secret = ${oldSecret && sql.binary(oldSecret)}
    where id = ${id} and secret = ${sql.binary(was)} and revoked_at is null`);
  return rowCount;
}
