/** Comments, decisions and changes of an item in one history, oldest first (behaviour §15.11). */
import { type ApprovalAction, approvalActions } from '../../items/approval.ts';
import { type Approval, MOST_CHANGES, mayHaveOlder } from '../../overviews/openItem.ts';
import type { AvatarProps } from '../frame/components/avatar.ts';
import type { IconName } from '../frame/components/icons.ts';
import { badge } from '../frame/components/marks.ts';
import { statusIcon } from '../frame/components/status.ts';
import { change, say } from '../frame/components/stream.ts';
import { moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { changeLine } from './changeLine.ts';
import { editForm, reactionsOf, toolsOf } from './commentParts.ts';
import type { ItemPage, OpenedItem } from './pageOf.ts';
import { actorName } from './values.ts';

export type EntryKind = 'comments' | 'decisions' | 'changes';

interface Entry {
  kind: EntryKind;
  at: string;
  /** Order of entries with the same timestamp; 0 for old comments without a version. */
  version: number;
  shown(): Content;
}

export interface History {
  /** Oldest first. */
  entries: Content[];
  since: string | null;
}

export function historyOf(page: ItemPage, wanted: readonly EntryKind[]): History {
  const all = [...comments(page), ...decisions(page), ...changes(page), ...files(page)].filter(({ kind }) => wanted.includes(kind));
  const since = cutOf(page.opened, wanted);
  const shown = all.filter(({ at }) => since === null || at >= since).sort(oldestFirst);
  return { entries: shown.map((entry) => entry.shown()), since };
}

/** If one kind has older entries that were not read, all kinds are cut there. Otherwise the history would have gaps. */
function cutOf({ notes, history }: OpenedItem, wanted: readonly EntryKind[]): string | null {
  const ends = [
    wanted.includes('comments') && notes && mayHaveOlder(notes) && notes.at(-1)?.createdAt,
    wanted.includes('changes') && history.changes.length === MOST_CHANGES && history.changes.at(-1)?.at,
  ].filter((end): end is string => typeof end === 'string');
  return ends.sort().at(-1) ?? null;
}

function comments(page: ItemPage): Entry[] {
  const { notes, history } = page.opened;
  return (notes ?? []).map((note) => {
    const by = history.changes.find(({ kind, commentId }) => kind === 'comment.created' && commentId === note.id);
    const agent = by?.via === 'agent';
    const name = actorName(note.authorName, by);
    return {
      kind: 'comments',
      at: note.createdAt,
      version: by?.version ?? 0,
      shown: () =>
        say({
          id: `comment-${note.id}`,
          who: agent ? { id: note.author.id, name, kind: 'agent' } : note.author,
          kind: agent ? 'agent' : 'comment',
          title: agent ? `Note by ${name}` : name,
          badge: html`${note.rewritten && badge('plain', 'sparkles', 'rewritten')}${note.edited && html`<span class="meta">edited</span>`}`,
          when: moment(note.createdAt, page.clock),
          body: html`<div data-clamp>${page.prose(note.body)}</div>`,
          edit: editForm(page, note),
          tools: toolsOf(page, note),
          foot: reactionsOf(page, note),
          submitted: note.originalBody !== null && html`<p class="as-is">${note.originalBody}</p>`,
        }),
    };
  });
}

const words: Record<ApprovalAction, string> = { requested: 'requested approval', approved: 'approved', rejected: 'rejected' };

function decisions(page: ItemPage): Entry[] {
  const { context, history } = page.opened;
  return context.approvals
    .filter(({ at }) => page.until === null || at < page.until)
    .map((step) => {
      const by = history.changes.find((row) => row.version === step.version && row.kind === `approval.${step.action}`);
      return {
        kind: 'decisions',
        at: step.at,
        version: step.version,
        shown: () => decision(page, step, actorName(step.by.name, by), by?.via === 'agent' ? { ...step.by, kind: 'agent' } : step.by),
      };
    });
}

function decision(page: ItemPage, { action, at, comment, version }: Approval, name: string, who: AvatarProps): Content {
  const when = moment(at, page.clock);
  const id = `v${version}`;
  if (action === 'requested' && comment === '') return change({ icon: 'hourglass', id, text: html`<b>${name}</b> ${words[action]}`, when });
  const sign = { requested: 'pending_approval', approved: 'approved', rejected: 'planned' } as const;
  const approval = { requested: 'pending', approved: 'approved', rejected: 'rejected' } as const;
  return say({
    id,
    who,
    kind: action === 'approved' ? 'decision' : action === 'rejected' ? 'rejected' : 'comment',
    sign: statusIcon({ status: sign[action], label: '', approval: approval[action], beside: true }),
    title: `${name} ${words[action]}`,
    when,
    body: comment && page.prose(comment),
  });
}

const shownElsewhere = new Set<string>(['comment.created', 'comment.updated', ...approvalActions.map((action) => `approval.${action}`)]);

const changes = (page: ItemPage): Entry[] =>
  page.opened.history.changes
    // Shows the edit of a comment only to readers who may see the previous text.
    .filter(({ kind, id }) => !shownElsewhere.has(kind) || page.opened.commentTexts?.[id] !== undefined)
    .map((row) => ({ kind: 'changes', at: row.at, version: row.version, shown: () => changeLine(page, row) }));

/** Files are lines of this history only: the feed, webhooks, keys and agents have none (behaviour §35.8). */
function files(page: ItemPage): Entry[] {
  const line = (at: string, icon: IconName, who: string, what: Content): Entry[] =>
    page.until === null || at < page.until
      ? [
          {
            kind: 'changes',
            at,
            version: 0,
            shown: () => change({ icon, text: html`<b>${who}</b> ${what}`, when: moment(at, page.clock) }),
          },
        ]
      : [];
  return page.opened.files
    .filter(({ state }) => state !== 'refused')
    .flatMap(({ at, by, name, removed }) => [
      ...line(at, 'paperclip', by.name, html`added the file <b>${name}</b>`),
      ...(removed ? line(removed.at, 'trash-2', removed.name, html`removed the file <b>${name}</b>`) : []),
    ]);
}

const oldestFirst = (one: Entry, other: Entry) => (one.at === other.at ? one.version - other.version : one.at < other.at ? -1 : 1);
