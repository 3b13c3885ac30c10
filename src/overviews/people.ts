/** All users of an account, or one of them, for its owners and administrators (behaviour §30.6). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type PeopleSeen, type PersonSeen, readPeopleSeen, readPersonSeen } from './peopleQueries.ts';

export { MOST_PEOPLE, type PeopleSeen, type PersonLine, type PersonSeen } from './peopleQueries.ts';

const Named = z.strictObject({ name: z.string().max(200) });

export const listPeople: Read<z.infer<typeof Named>, PeopleSeen> = {
  name: 'listPeople',
  input: Named,
  async run(tx, caller, { name }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    return readPeopleSeen(tx, caller, name);
  },
};

const One = z.strictObject({ userId: Id });

export const getPerson: Read<z.infer<typeof One>, PersonSeen> = {
  name: 'getPerson',
  input: One,
  async run(tx, caller, { userId }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    return readPersonSeen(tx, caller, userId);
  },
};
