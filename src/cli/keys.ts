/** `key`: REST keys. */

import { grantsOf, rightsOfGrants } from '../access/rights.ts';
import { insertKey, revokeKey } from '../accounts/keyQueries.ts';
import { operator, toldOf } from '../audit/audit.ts';
import { Label } from '../values/text.ts';
import { command, option } from './command.ts';
import { expires, grantList, id, visibility } from './options.ts';

export const create = command({
  summary: 'a REST key; it is printed this once',
  options: { user: id('user who acts'), name: option(Label(200).default('Key'), 'NAME', 'what it is for'), grants: grantList, expires },
  note: visibility,
  async run(context, { user, name, grants, expires: ends = null }) {
    const db = await context.db();
    const made = await db.transaction((tx) =>
      toldOf(
        tx,
        operator(),
        'key.made',
        ({ id }) => ({ type: 'key', id }),
        () => insertKey(tx, 'everything', { userId: user, name, grants, expires: ends }),
      ),
    );
    return { ...made, userId: user, name, grants: grantsOf(rightsOfGrants(grants)), expiresAt: ends };
  },
});

export const revoke = command({
  summary: 'end a REST key for good, at once',
  options: { key: id('key, by its id') },
  async run(context, { key }) {
    const db = await context.db();
    await db.transaction((tx) => toldOf(tx, operator(), 'key.revoked', { type: 'key', id: key }, () => revokeKey(tx, 'everything', key)));
    return { id: key, revoked: true };
  },
});
