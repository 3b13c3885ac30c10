/** Permissions and actions of agents as text. Pure. */
import { type AgentResource, agentResources, type Level, levels } from '../../access/rights.ts';
import type { ActivityRow, AgentCard } from '../../connections/activity.ts';
import type { ConnectableWorkspace } from '../../connections/manage.ts';
import { capital } from '../../values/text.ts';
import { type Content, html } from '../frame/html.ts';

const conjunction = new Intl.ListFormat('en', { type: 'conjunction' });
export const joinWithAnd = (words: readonly string[]): string => conjunction.format(words).replace(', and ', ' and ');

/** Time and plans belong to the user; other resources are shared work. */
const own: readonly AgentResource[] = ['time', 'plans'];
const work = agentResources.filter((one) => !own.includes(one));

type Given = Pick<AgentCard, 'permissions' | 'notes'>;

const at = (given: Given, level: Level, among: readonly AgentResource[]) => among.filter((one) => given.permissions[one] === level);

export function mayOf(given: Given): string[] {
  const change = [
    ['Write and delete', 'delete'],
    ['Write', 'write'],
  ] as const;
  const lines = change.flatMap(([verb, level]) => {
    const found = at(given, level, work);
    return found.length ? [`${verb} ${joinWithAnd(found)}`] : [];
  });
  const writes = (one: AgentResource) => levels.indexOf(given.permissions[one]) >= levels.indexOf('write');
  const acts = [writes('time') && 'record time', writes('plans') && 'plan time'].filter((one) => one !== false);
  if (acts.length) lines.push(`${capital(joinWithAnd(acts))} as you`);
  if (given.notes.length) lines.push(`${capital(joinWithAnd(given.notes))} your notes`);
  return lines;
}

/** Resources that are read only or hidden. */
export function mayNotOf(given: Given): string[] {
  const read = at(given, 'read', agentResources);
  const none = [...at(given, 'none', agentResources), ...(given.notes.length ? [] : ['your notes'])];
  return [...(read.length ? [`Only reads ${joinWithAnd(read)}`] : []), ...(none.length ? [`No access to ${joinWithAnd(none)}`] : [])];
}

const limited: Record<Level, string> = { none: 'no access', read: 'read only', write: 'no delete', delete: '' };

/** "read only (workspace limit)". Null if neither the workspace nor the role is the limit, e.g. delete on time and plans. */
export const limitWords = ({ level, because }: ConnectableWorkspace['most'][AgentResource]): string | null =>
  because === null ? null : `${limited[level]} (${because})`;

/** Where the workspace or role allows less than the connection: "Apollo, tasks and plans: read only (workspace limit)". */
export function limitsOf(
  { permissions, workspaces }: Pick<AgentCard, 'permissions' | 'workspaces'>,
  connectable: readonly ConnectableWorkspace[],
): string[] {
  return workspaces.flatMap(({ id, disconnected }) => {
    const there = connectable.find((one) => one.id === id);
    if (!there || disconnected) return [];
    if (!there.enabled) return [`${there.name}: agents are turned off`];
    const less = agentResources.filter((one) => levels.indexOf(permissions[one]) > levels.indexOf(there.most[one].level));
    const reasons = Map.groupBy(less, (one) => limitWords(there.most[one]));
    return [...reasons].flatMap(([reason, resources]) => (reason ? [`${there.name}, ${joinWithAnd(resources)}: ${reason}`] : []));
  });
}

interface Words {
  /** Goes before the changed items. */
  did: string;
  /** Used when the changed items are unknown. */
  else: string;
  /** Follows "Tried to ". */
  tried: string;
}

const words: Record<string, Words> = {
  svc_context: { did: '', else: 'Looked up its permissions', tried: 'look up its permissions' },
  svc_find_work: { did: '', else: 'Searched items', tried: 'search items' },
  svc_get_item: { did: '', else: 'Read an item', tried: 'read an item' },
  svc_create_items: { did: 'Created ', else: 'Created items', tried: 'create items' },
  svc_update_item: { did: 'Changed ', else: 'Changed an item', tried: 'change an item' },
  svc_update_items: { did: 'Changed ', else: 'Changed items', tried: 'change items' },
  svc_add_note: { did: 'Added a note to ', else: 'Added a note to an item', tried: 'add a note to an item' },
  svc_remove_item: { did: 'Archived ', else: 'Archived an item', tried: 'archive an item' },
  svc_my_time: { did: '', else: 'Read your time and plans', tried: 'read your time and plans' },
  svc_time: { did: 'Recorded time on ', else: 'Recorded time', tried: 'record time' },
  svc_plan_block: { did: 'Planned time on ', else: 'Planned time', tried: 'plan time' },
  svc_personal_notes_list: { did: '', else: 'Listed your notes', tried: 'list your notes' },
  svc_personal_notes_get: { did: '', else: 'Read one of your notes', tried: 'read one of your notes' },
  svc_personal_notes_create: { did: '', else: 'Added a personal note', tried: 'add a personal note' },
  svc_personal_notes_update: { did: '', else: 'Changed one of your notes', tried: 'change one of your notes' },
  svc_personal_notes_delete: { did: '', else: 'Deleted one of your notes', tried: 'delete one of your notes' },
};

const failures: Record<string, string> = {
  invalid_request: 'Invalid',
  forbidden: 'Refused',
  conflict: 'Conflict',
  rate_limited: 'Rate limited',
  unavailable: 'Unavailable',
  rewrite_unavailable: 'Not rewritten',
};

export const succeeded = (outcome: string): boolean => outcome === 'ok' || outcome === 'replayed';

export const outcomeOf = (outcome: string): string =>
  outcome === 'ok' ? 'Done' : outcome === 'replayed' ? 'Done (repeated)' : (failures[outcome] ?? outcome);

/** "Changed 24 Price of a vehicle", with links to items the user may see. */
export function didWords({ tool, outcome, workspace, touched, items }: ActivityRow, basePath: string): Content {
  const said = words[tool] ?? { did: '', else: tool, tried: `use ${tool}` };
  const where = workspace === null ? '' : ` in ${workspace}`;
  if (!succeeded(outcome)) return `Tried to ${said.tried}${where}`;
  if (!said.did || !touched?.length) return items && items > 1 ? `${said.else}${where}, ${items} in all` : `${said.else}${where}`;
  const links = touched.map(
    ({ id, workspaceId, title }, index) =>
      html`${index > 0 && ', '}<a href="${basePath}/workspaces/${workspaceId}/items/${id}">${id} ${title}</a>`,
  );
  const more = (items ?? 0) - touched.length;
  return html`${said.did}${links}${more > 0 && ` and ${more} more`}`;
}
