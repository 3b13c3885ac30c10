/** SQL of how people want to hear of each kind. */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { type Choice, choices, type Kind, kinds } from './schema.ts';

const Chosen = z.object({ kind: z.enum(kinds), choice: z.enum(choices) });

/** What they chose themselves. */
export const readChosen = (tx: Tx, userId: number): Promise<readonly z.infer<typeof Chosen>[]> =>
  tx.any(sql.type(Chosen)`select kind, choice from notification_choices where user_id = ${userId}`);

/** Nothing of whoever is not there, or not active. */
export async function keepChosen(tx: Tx, userId: number, chosen: readonly (readonly [Kind, Choice])[]): Promise<void> {
  const rows = chosen.map(([kind, choice]) => ({ kind, choice }));
  await tx.query(sql.unsafe`
    insert into notification_choices (account_id, user_id, kind, choice)
    select u.account_id, u.id, c.kind, c.choice from users u, json_to_recordset(${JSON.stringify(rows)}::json) as c (kind text, choice text)
    where u.id = ${userId} and u.active order by c.kind
    on conflict (user_id, kind) do update set choice = excluded.choice`);
}
