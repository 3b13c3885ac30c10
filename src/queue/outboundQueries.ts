/** SQL that holds outbound jobs: a row in the database applies to all processes (behaviour §2.30). Held jobs stay in the queue. */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { outbound } from './jobs.ts';

export const isHeldByDatabase = sql.fragment`exists (select from outbound_hold where one)`;

const Held = z.object({ held: z.boolean() });

export const readHold = (tx: Tx): Promise<boolean> => tx.oneFirst(sql.type(Held)`select ${isHeldByDatabase} as held`);

export async function holdOutbound(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`insert into outbound_hold default values on conflict do nothing`);
}

/** Returns true if they were held. */
export async function releaseOutbound(tx: Tx): Promise<boolean> {
  return (await tx.maybeOneFirst(sql.type(Held)`delete from outbound_hold returning true as held`)) !== null;
}

const Waiting = z.object({ mails: z.number(), reminders: z.number() });
export type Waiting = z.infer<typeof Waiting>;

export const countWaiting = (tx: Tx): Promise<Waiting> =>
  tx.one(sql.type(Waiting)`
    select count(*) filter (where task_identifier = any(${sql.array([...outbound.mails], 'text')})) as mails,
      count(*) filter (where task_identifier = any(${sql.array([...outbound.reminders], 'text')})) as reminders
    from graphile_worker.jobs where attempts < max_attempts`);
