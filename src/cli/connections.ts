import { auditCommand, operator } from '../audit/audit.ts';
import { insertConnection, revokeConnection, rotateConnection, setConnection } from '../connections/adminQueries.ts';
import { Label } from '../values/text.ts';
import { command, option } from './command.ts';
import { expires, id, noNotes, permissions, plainLanguage, timezone, visibility, workspaceList } from './options.ts';

const connection = id('connection');
const settings = {
  name: option(Label(200).optional(), 'NAME', 'which agent it is'),
  workspaces: workspaceList,
  permissions,
  timezone,
  'plain-language': plainLanguage,
  expires,
};

export const create = command({
  summary: "an agent's connection, read-only unless told otherwise; its key is printed this once",
  options: { user: id('user whose agent it is'), ...settings },
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
  summary: 'change a connection; what is left out stays, workspaces are given whole',
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
  summary: 'a new key for a connection, printed this once; the old one stops working at once',
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
  summary: 'end a connection for good, at once',
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
