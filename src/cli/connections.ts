import { auditCommand, operator } from '../audit/audit.ts';
import { insertConnection, revokeConnection, rotateConnection, setConnection } from '../connections/adminQueries.ts';
import { Label } from '../values/text.ts';
import { command, option } from './command.ts';
import { expires, id, noNotes, permissions, plainLanguage, timezone, visibility, workspaceList } from './options.ts';

const connection = id('connection');
const settings = {
  name: option(Label(200).optional(), 'NAME', 'name of the agent'),
  workspaces: workspaceList,
  permissions,
  timezone,
  'plain-language': plainLanguage,
  expires,
};

export const create = command({
  summary: 'create a connection for an agent, by default read-only; its key is printed only once',
  options: { user: id('user that the agent acts for'), ...settings },
  note: visibility,
  async run(context, { user, 'plain-language': plain, ...given }) {
    const db = await context.db();
    const { key, ...made } = await db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'connection.made',
        ({ id }) => ({ type: 'connection', id }),
        () => insertConnection(tx, 'everything', user, { ...given, plainLanguage: plain }),
      ),
    );
    return { ...made, key };
  },
});

export const set = command({
  summary: 'change a connection; options that you leave out keep their values; --workspaces replaces the list',
  options: { connection, ...settings, notes: noNotes },
  note: visibility,
  async run(context, { connection: connectionId, 'plain-language': plain, ...given }) {
    const db = await context.db();
    return db.transaction((tx) =>
      auditCommand(tx, operator(), 'connection.changed', { type: 'connection', id: connectionId }, () =>
        setConnection(tx, 'everything', connectionId, { ...given, plainLanguage: plain }),
      ),
    );
  },
});

export const rotate = command({
  summary: 'create a new key for a connection, printed only once; the old key stops working immediately',
  options: { connection },
  async run(context, values) {
    const db = await context.db();
    return db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'connection.rotated',
        { type: 'connection', id: values.connection },
        () => rotateConnection(tx, 'everything', values.connection),
        true,
      ),
    );
  },
});

export const revoke = command({
  summary: 'revoke a connection immediately and permanently',
  options: { connection },
  async run(context, values) {
    const db = await context.db();
    await db.transaction((tx) =>
      auditCommand(tx, operator(), 'connection.revoked', { type: 'connection', id: values.connection }, () =>
        revokeConnection(tx, 'everything', values.connection),
      ),
    );
    return { id: values.connection, revoked: true };
  },
});
