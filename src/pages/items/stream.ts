/** What happened to an item, newest first: its comments, approvals and changes as one stream (behaviour §15.11). */
import type { ItemChange } from '../../changes/schema.ts';
import { type ApprovalAction, approvalActions } from '../../items/approval.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { moment } from '../frame/widgets.ts';
import { changesList } from './changesList.ts';
import type { OpenedItem } from './open.ts';

/** What may be shown alone, as its address says. */
const kinds = { all: 'Everything', comments: 'Comments', approvals: 'Approvals', changes: 'Changes' } as const;
type Kind = keyof typeof kinds;

const words: Record<ApprovalAction, string> = { requested: 'requested approval', approved: 'approved', rejected: 'rejected' };

interface Entry {
  kind: Exclude<Kind, 'all'>;
  at: string;
  /** Of entries of the same moment. */
  version: number;
  shown: Content;
}

/** By whom, and by what: a person's own hand needs no words. */
export function doneBy(name: string, by?: Pick<ItemChange, 'via' | 'keyName'>): string {
  if (by?.via === 'agent') return `${name}’s agent “${by.keyName}”`;
  if (by?.via === 'rest') return by.keyName === null ? `${name}, over REST` : `${name}, with the key “${by.keyName}”`;
  return by?.via === 'job' ? `${name}, by a job` : name;
}

function comments({ notes, history }: OpenedItem): Entry[] {
  return (notes ?? []).map(({ id, body, createdAt, authorName, rewritten, originalBody }) => {
    const by = history.changes.find(({ commentId }) => commentId === id);
    return {
      kind: 'comments',
      at: createdAt,
      version: by?.version ?? 0,
      shown: html`<article class="comment"><header><strong>${doneBy(authorName, by)}</strong> <small class="muted">${moment(createdAt)}${rewritten && ' · rewritten in plain language'}</small></header>
<div class="text">${body}</div>
${originalBody !== undefined && html`<details><summary>As it was submitted</summary><div class="text">${originalBody}</div></details>`}</article>`,
    };
  });
}

function approvals({ context, history }: OpenedItem): Entry[] {
  return context.approvals.map(({ action, name, at, comment, version }) => {
    const by = history.changes.find((row) => row.version === version && row.kind === `approval.${action}`);
    return {
      kind: 'approvals',
      at,
      version,
      shown: html`<article class="entry"><strong>${doneBy(name, by)}</strong> ${words[action]} <small class="muted">${moment(at)}, version ${version}</small>${comment && html`<div class="text">${comment}</div>`}</article>`,
    };
  });
}

const told = new Set<string>(['comment.created', ...approvalActions.map((action) => `approval.${action}`)]);

function changes(opened: OpenedItem): Entry[] {
  return opened.history.changes
    .filter(({ kind }) => !told.has(kind))
    .map((change) => ({
      kind: 'changes',
      at: change.at,
      version: change.version,
      shown: html`<article class="entry"><strong>${doneBy(change.actor.name, change)}</strong> ${change.kind === 'item.created' ? `created this ${opened.item.type}` : 'changed'} <small class="muted">${moment(change.at)}, version ${change.version}</small>
${changesList(opened, change)}</article>`,
    }));
}

/** `fields`: of the form for another comment, for who may write it. */
export function streamPart(request: PageRequest, opened: OpenedItem, fields: Fields | null): Content {
  const { notes, workspace, item, at } = opened;
  const asked = request.query.get('show') ?? 'all';
  const shown: Kind = Object.hasOwn(kinds, asked) ? (asked as Kind) : 'all';
  const all = [...comments(opened), ...approvals(opened), ...changes(opened)];
  const entries = all.filter(({ kind }) => shown === 'all' || kind === shown).sort(newestFirst);
  const link = (kind: Kind) =>
    html`<li><a href="${at}${kind !== 'all' && `?show=${kind}`}#comments"${kind === shown && html` aria-current="page"`}>${kinds[kind]}</a></li>`;
  const offered = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'comments' || notes);
  return html`<section id="stream" aria-labelledby="comments"><h2 id="comments">${notes ? 'Comments and changes' : 'Changes'}</h2>
${fields && notes && commentForm(request, `${workspace.path}/items/${item.id}/comments`, opened, fields)}
<nav class="tabs" aria-label="What is shown"><ul>${offered.map(link)}</ul></nav>
${entries.length === 0 && html`<p class="muted">${shown === 'comments' ? 'No comment yet.' : 'Nothing yet.'}</p>`}
${entries.map((entry) => entry.shown)}
${(notes?.length === 100 || opened.history.changes.length === MOST) && html`<p class="muted">The latest are shown: 100 comments, ${MOST} changes.</p>`}</section>`;
}

/** As many changes as are read for the page. */
const MOST = 200;

/** What has no version of its own, a comment of long ago, goes by its moment alone. */
const newestFirst = (one: Entry, other: Entry) => (one.at === other.at ? other.version - one.version : one.at < other.at ? 1 : -1);

const commentForm = (request: PageRequest, action: string, { mentionable }: OpenedItem, fields: Fields): Content =>
  postForm(
    request,
    { action, once: true },
    fields.field(
      'body',
      (mark) => html`<textarea name="body" rows="3" required data-mentions="mentionable"${mark}>${`\n${fields.value('body')}`}</textarea>`,
      null,
      'Add a comment',
    ),
    // Without script, how each is written; with it, what is offered while one types.
    mentionable.length > 0 &&
      html`<details id="mentionable"><summary>Mention somebody: write @ and the name</summary><ul>${mentionable.map(
        (one) => html`<li><code>@${handleOf(one, mentionable)}</code> <small class="muted">${one.role}</small></li>`,
      )}</ul></details>`,
    html`<button>Comment</button>`,
  );

/** A name that several people have is told apart by an id. */
const handleOf = ({ id, name }: Named, all: readonly Named[]): string =>
  all.some((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase()) ? `${name}#${id}` : name;

interface Named {
  id: number;
  name: string;
}
