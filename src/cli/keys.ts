import { grantsOf, rightsOfGrants } from '../access/rights.ts';
import { insertKey, liveKeys, revokeKey } from '../accounts/keyQueries.ts';
import { auditCommand, operator } from '../audit/audit.ts';
import { InvalidRequest } from '../values/errors.ts';
import { Label } from '../values/text.ts';
import { command, option } from './command.ts';
import { expires, grantList, id, optionalId, visibility } from './options.ts';

export const create = command({
  summary: 'create a REST key; it is printed only once',
  options: {
    user: id('user that the key acts for'),
    name: option(Label(200).default('Key'), 'NAME', 'name of the key'),
    grants: grantList,
    expires,
  },
  note: visibility,
  async run(context, { user, name, grants, expires: ends = null }) {
    const db = await context.db();
    const made = await db.transaction((tx) =>
      auditCommand(
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
  summary: 'revoke a REST key permanently, or all keys of a user or account',
  options: {
    key: optionalId('id of the key'),
    user: optionalId('all keys of this user'),
    account: optionalId('all keys of this account'),
  },
  note: 'For the keys of agents, see connection revoke.',
  async run(context, { key, user, account }) {
    if ([key, user, account].filter((one) => one !== undefined).length !== 1)
      throw new InvalidRequest(['key'], 'give one of --key, --user and --account.');
    const db = await context.db();
    return db.transaction(async (tx) => {
      const keys = key === undefined ? await liveKeys(tx, { userId: user, accountId: account }) : [key];
      for (const one of keys)
        await auditCommand(tx, operator(), 'key.revoked', { type: 'key', id: one }, () => revokeKey(tx, 'everything', one));
      return key === undefined ? { keys, revoked: keys.length } : { id: key, revoked: true };
    });
  },
});
