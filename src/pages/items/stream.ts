/** The history of an item and the comment form (behaviour §15.11, §21.5). */
import { keysOf, valueAt } from '../../values/records.ts';
import { section, segments } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { composer, stream } from '../frame/components/stream.ts';
import { momentWords, within } from '../frame/components/when.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { may } from '../workspace/openWorkspace.ts';
import type { ItemPage } from './pageOf.ts';
import { type EntryKind, historyOf } from './streamEntries.ts';
import { editorPath } from './texts.ts';

const kinds = {
  all: { label: 'All', wanted: ['comments', 'decisions', 'changes'] },
  comments: { label: 'Comments', wanted: ['comments'] },
  decisions: { label: 'Decisions', wanted: ['decisions'] },
  changes: { label: 'Changes', wanted: ['changes'] },
} as const satisfies Record<string, { label: string; wanted: readonly EntryKind[] }>;

export function streamPart(page: ItemPage): Content {
  const { notes, context } = page.opened;
  const asked = page.request.query.get('show');
  const kind = keysOf(kinds).find((one) => one === asked) ?? 'all';
  const { entries, since } = historyOf(page, kinds[kind].wanted);
  const offered = keysOf(kinds).filter(
    (one) => (one !== 'comments' || notes) && (one !== 'decisions' || context.approvals.length > 0 || one === kind),
  );
  const choice = offered.map((one) => ({ href: addressOf(page, one), label: kinds[one].label, current: one === kind }));
  return section(
    { title: notes ? 'Comments and history' : 'History', id: 'stream', class: 'history', action: segments('Show', choice) },
    html`${since && olderLink(page, kind, since)}${entries.length > 0 ? stream(entries) : html`<p class="meta">${kind === 'comments' ? 'No comments yet.' : 'No history yet.'}</p>`}
${page.until !== null ? html`<p><a class="btn small" href="${addressOf(page, kind)}">${icon('arrow-down', 's')}Show latest</a></p>` : commentBox(page)}`,
  );
}

function addressOf({ opened, request }: ItemPage, show: string, until?: string): string {
  const list = request.query.get('in');
  const asked: Record<string, string> = { ...(list && { in: list }), ...(show !== 'all' && { show }), ...(until && { until }) };
  const query = new URLSearchParams(asked).toString();
  return `${opened.at}${query && `?${query}`}#stream`;
}

/** Overlaps by one millisecond, so that no entry of the same instant is skipped. */
function olderLink(page: ItemPage, kind: string, since: string): Content {
  const until = new Date(Date.parse(since) + 1).toISOString();
  return html`<p><a class="btn small" href="${addressOf(page, kind, until)}">${icon('history', 's')}Show entries before ${within(momentWords(since, page.clock))}</a></p>`;
}

function commentBox(page: ItemPage): Content {
  const { workspace, item, notes } = page.opened;
  if (!notes || !may(workspace, 'comments', 'write')) return null;
  const fields = page.fieldsOf('comments');
  const form = {
    action: `${workspace.path}/items/${item.id}/comments`,
    hidden: page.listFields,
    once: true,
    live: '#work',
    class: 'comment-form',
    data: { clear: true as const, queue: true as const },
  };
  return postForm(
    page.request,
    form,
    composer(textarea(fields, page.request.basePath), foot(page)),
    fields.note('body'),
    howToMention(page),
  );
}

const textarea = (fields: Fields, basePath: string): Content =>
  html`<label class="vh" for="comment">Add a comment</label><textarea id="comment" name="body" rows="3" required placeholder="Write a comment. Type @ for a person, # for an item" data-mentions="mentionable" data-send data-draft data-small data-editor="${editorPath(basePath)}" aria-keyshortcuts="Control+Enter"${fields.mark('body')}>${`\n${fields.value('body')}`}</textarea>`;

const foot = ({ opened: { mentionable } }: ItemPage): Content =>
  html`${mentionable.length > 0 && html`<span class="meta at-wide">Watchers will be notified.</span>`}<span class="push"></span>${button('Comment', { kind: 'primary', key: 'Ctrl ↵' })}`;

/** Explains mentions without script; the script uses the list for suggestions. */
function howToMention({ opened: { mentionable } }: ItemPage): Content {
  if (mentionable.length === 0) return null;
  const named = Map.groupBy(mentionable, nameOf);
  const people = mentionable.map((one) => {
    // The id distinguishes people with the same name.
    const id = valueAt(named, nameOf(one)).length > 1 && `#${one.id}`;
    return html`<li><code>@${one.name}${id}</code> <small class="meta">${one.role}</small></li>`;
  });
  return html`<details id="mentionable" class="mentionable"><summary>To mention a person, type @ and the name</summary><ul>${people}</ul></details>`;
}

const nameOf = ({ name }: { name: string }): string => name.toLowerCase();
