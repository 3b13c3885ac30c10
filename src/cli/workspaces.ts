import { auditCommand, operator } from '../audit/audit.ts';
import { leaveWorkspace } from '../plans/leave.ts';
import { InvalidRequest } from '../values/errors.ts';
import { insertWorkspace, rename as renameOne, setArchived, setMcp, setToBeErased } from '../workspaces/adminQueries.ts';
import { setMember } from '../workspaces/queries.ts';
import { command } from './command.ts';
import { access, flag, id, limits, name, role, timeOversight, visibility } from './options.ts';

const workspace = id('workspace');
const user = id('user');

export const createWorkspace = command({
  summary: 'create a workspace with the default statuses and priorities, without members',
  options: { account: id('account'), name: name('workspace') },
  async run(context, values) {
    const db = await context.db();
    const made = await db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'workspace.made',
        (id) => ({ type: 'workspace', id }),
        () => insertWorkspace(tx, 'everything', values.account, values.name),
      ),
    );
    return { id: made, accountId: values.account, name: values.name };
  },
});

export const rename = command({
  summary: 'rename a workspace',
  options: { workspace, name: name('workspace') },
  async run(context, values) {
    const db = await context.db();
    await db.transaction((tx) =>
      auditCommand(tx, operator(), 'workspace.renamed', { type: 'workspace', id: values.workspace }, () =>
        renameOne(tx, 'everything', values.workspace, values.name),
      ),
    );
    return { id: values.workspace, name: values.name };
  },
});

const archiving = (archived: boolean, summary: string) =>
  command({
    summary,
    options: { workspace },
    async run(context, values) {
      const db = await context.db();
      await db.transaction((tx) =>
        auditCommand(tx, operator(), 'workspace.archived', { type: 'workspace', id: values.workspace }, () =>
          setArchived(tx, 'everything', values.workspace, archived),
        ),
      );
      return { id: values.workspace, archived };
    },
  });

export const archive = archiving(true, 'hide a workspace from all members and keys; no data is deleted');
export const restore = archiving(false, 'restore an archived workspace, or one that was erased less than 30 days ago');

export const erase = command({
  summary: 'archive a workspace and erase all its data after 30 days; until then `workspace restore` restores it',
  options: { workspace },
  note: 'To keep a copy, export it first: stint workspace export --workspace ID > FILE',
  async run(context, values) {
    const db = await context.db();
    const erasedAt = await db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'workspace.erased',
        { type: 'workspace', id: values.workspace },
        () => setToBeErased(tx, 'everything', values.workspace),
        true,
      ),
    );
    const id = values.workspace;
    return { id, erasedAt, export: `stint workspace export --workspace ${id}`, restore: `stint workspace restore --workspace ${id}` };
  },
});

export const mcp = command({
  summary: 'turn agents on or off in a workspace, and limit their levels',
  options: { workspace, on: flag('turn agents on'), off: flag('turn agents off'), limits },
  note: visibility,
  async run(context, { workspace: workspaceId, on, off, limits: levels }) {
    if (on && off) throw new InvalidRequest(['on'], 'give --on or --off, not both.');
    if (!on && !off && !levels) throw new InvalidRequest(['on'], 'give --on, --off or --limits.');
    const db = await context.db();
    const enabled = on ? true : off ? false : undefined;
    const now = await db.transaction((tx) =>
      auditCommand(tx, operator(), 'workspace.limits', { type: 'workspace', id: workspaceId }, () =>
        setMcp(tx, 'everything', workspaceId, { enabled, limits: levels }),
      ),
    );
    return { id: workspaceId, mcp: now };
  },
});

export const set = command({
  summary: 'add a member to a workspace, or change the membership; options that you leave out keep their values',
  options: { workspace, user, role, access, 'time-oversight': timeOversight },
  note: visibility,
  async run(context, values) {
    const db = await context.db();
    const change = { workspaceId: values.workspace, userId: values.user, role: values.role, access: values.access };
    const member = await db.transaction((tx) =>
      auditCommand(tx, operator(), 'member.put', { type: 'member', id: values.user, workspaceId: values.workspace }, () =>
        setMember(tx, 'everything', { ...change, timeOversight: values['time-oversight'] }),
      ),
    );
    return { workspace: values.workspace, user: values.user, ...member };
  },
});

export const remove = command({
  summary: 'remove a member from a workspace, stop their timer and cancel their plan blocks there; their items stay',
  options: { workspace, user },
  async run(context, values) {
    const db = await context.db();
    const ended = await db.transaction((tx) =>
      auditCommand(tx, operator(), 'member.removed', { type: 'member', id: values.user, workspaceId: values.workspace }, () =>
        leaveWorkspace(tx, 'everything', values.workspace, values.user),
      ),
    );
    return { workspace: values.workspace, user: values.user, removed: true, ...ended };
  },
});
