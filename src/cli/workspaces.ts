import { auditCommand, operator } from '../audit/audit.ts';
import { leaveWorkspace } from '../plans/leave.ts';
import { InvalidRequest } from '../values/errors.ts';
import { insertWorkspace, rename as renameOne, setArchived, setMcp, setToBeErased } from '../workspaces/adminQueries.ts';
import { setMember } from '../workspaces/memberQueries.ts';
import { command } from './command.ts';
import { access, flag, id, limits, name, role, timeOversight, visibility } from './options.ts';

const workspace = id('workspace');
const user = id('user');

export const createWorkspace = command({
  summary: 'a new workspace of an account, with the usual statuses and priorities and nobody in it',
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
  summary: 'give a workspace another name',
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

export const archive = archiving(true, 'hide a workspace from everybody and every key at once; nothing is deleted');
export const restore = archiving(false, 'bring a workspace back that was archived, or was set to be erased less than 30 days ago');

export const erase = command({
  summary: 'archive a workspace, and erase it with everything in it after 30 days; until then `workspace restore` brings it back',
  options: { workspace },
  note: 'Export it before, if you want to keep a copy: stint workspace export --workspace ID > FILE',
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
  summary: 'let agents into a workspace or keep them out, and say what they may do at most',
  options: { workspace, on: flag('let agents in'), off: flag('keep agents out'), limits },
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
  summary: 'make a user a member of a workspace, or change the membership; what is left out stays',
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
  summary: 'take a member out of a workspace, stop their timer and cancel their plan blocks there; what they did stays',
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
