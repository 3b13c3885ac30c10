/** Checks if a page is up to date: at the start of a stream, or by polling without one (behaviour §31.6). */
import { z } from 'zod';
import { Cursor } from '../changes/cursor.ts';
import type { Follower } from '../changes/follow.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused } from '../values/errors.ts';
import { ownText, payloadOf } from './messages.ts';
import { notifyPages, readSince } from './queries.ts';

const Input = z.strictObject({ since: Cursor.nullable() });

export interface Since {
  /** True if something changed, or if that is unknown. */
  changed: boolean;
  own: string;
  place: Cursor;
}

const end: Cursor = { era: '2147483647', xact: '0', id: '0' };

export const changedSince: Read<z.infer<typeof Input>, Since> = {
  name: 'changedSince',
  input: Input,
  async run(tx, caller, { since }) {
    const found = await readSince(tx, caller, since ?? end);
    if (!found) throw new CredentialRefused();
    return { ...found, changed: found.changed || since === null, own: ownText(found.own) };
  },
};

/** Sends one NOTIFY to the web processes for a batch of changes. A NOTIFY in each save would make all saves wait for one another
 *  ([0036](../../docs/decisions/0036-live-pages.md)). */
export const liveFollower: Follower = { name: 'live', see: (tx, rows, after) => notifyPages(tx, payloadOf(after, rows)) };
