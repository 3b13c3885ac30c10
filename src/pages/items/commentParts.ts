/** A comment's form, its buttons and reactions (behaviour §8.11–8.13). */
import { type Reaction, reactions } from '../../comments/schema.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { menu, option } from '../frame/components/palette.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { may } from '../workspace/openWorkspace.ts';
import type { ItemPage, OpenedItem } from './pageOf.ts';
import { editorPath } from './texts.ts';

const reactionWords: Record<Reaction, { icon: IconName; label: string }> = {
  agree: { icon: 'thumbs-up', label: 'Agree' },
  thanks: { icon: 'heart', label: 'Thanks' },
  well_done: { icon: 'party-popper', label: 'Well done' },
  looking: { icon: 'eye', label: 'Looking' },
  done: { icon: 'circle-check', label: 'Done' },
  question: { icon: 'circle-question-mark', label: 'Question' },
};

type Note = NonNullable<OpenedItem['notes']>[number];

const mayWrite = ({ opened }: ItemPage): boolean => may(opened.workspace, 'comments', 'write');
const isOwn = (page: ItemPage, { author }: Note): boolean => author.id === page.request.user.id && mayWrite(page);
const pathOf = ({ opened }: ItemPage, { id }: Note): string => `${opened.workspace.path}/items/${opened.item.id}/comments/${id}`;

export function editForm(page: ItemPage, note: Note): Content {
  if (!isOwn(page, note)) return null;
  const id = `edit-comment-${note.id}`;
  const isAsked = page.request.query.get('edit') === String(note.id);
  return postForm(
    page.request,
    {
      action: pathOf(page, note),
      id: `${id}-form`,
      class: 'edit-form',
      live: '#work',
      hidden: page.listFields,
      ...(isAsked && { data: { editing: true } }),
    },
    html`<label class="vh" for="${id}">Edit comment</label><textarea id="${id}" name="body" rows="4" required data-draft data-small data-mentions="mentionable" data-editor="${editorPath(page.request.basePath)}">${`\n${note.body}`}</textarea>
<footer><span class="meta" data-draft-told></span><span class="push"></span>${button('Cancel', { kind: 'quiet', small: true, type: 'button', attributes: html` data-cancel` })}${button('Save', { kind: 'primary', small: true, key: 'Ctrl ↵' })}</footer>`,
  );
}

export function toolsOf(page: ItemPage, note: Note): Content {
  if (!mayWrite(page)) return null;
  const { request, opened } = page;
  const own = isOwn(page, note);
  const options = reactions.map((one) => {
    const { icon: sign, label } = reactionWords[one];
    const isSet = note.reactions.some(({ reaction, userId }) => reaction === one && userId === request.user.id);
    return option(label, { icon: icon(sign, 's'), name: 'reaction', value: `${one} ${isSet ? 'no' : 'yes'}`, current: isSet });
  });
  const form = postForm(
    request,
    { action: `${pathOf(page, note)}/reactions`, hidden: page.listFields, live: '#work', class: 'plain' },
    options,
  );
  const edit =
    own &&
    html`<a class="icon-btn edit-here" href="${opened.at}?edit=${note.id}#comment-${note.id}" data-edit aria-label="Edit comment" title="Edit comment">${icon('pencil', 's')}</a>`;
  const remove =
    own &&
    postForm(
      request,
      {
        action: `${pathOf(page, note)}/delete`,
        confirm: 'Delete this comment? The history keeps that it was deleted.',
        hidden: page.listFields,
        class: 'plain',
        live: '#work',
      },
      html`<button class="icon-btn danger" aria-label="Delete comment" title="Delete comment">${icon('trash-2', 's')}</button>`,
    );
  return html`${menu(icon('smile-plus', 's'), form, { label: 'React', end: true, class: 'icon-pop' })}${edit}${remove}`;
}

const list = new Intl.ListFormat('en-GB');

/** Each reaction with its count; names are in the label. A click adds or removes the reader's own. */
export function reactionsOf(page: ItemPage, note: Note): Content {
  const given = reactions.flatMap((one) => {
    const all = note.reactions.filter(({ reaction }) => reaction === one);
    return all.length > 0 ? [{ one, all }] : [];
  });
  if (given.length === 0) return null;
  const me = page.request.user.id;
  const buttons = given.map(({ one, all }) => {
    const { icon: sign, label } = reactionWords[one];
    const isSet = all.some(({ userId }) => userId === me);
    const names = list.format([...(isSet ? ['you'] : []), ...all.flatMap(({ userId, name }) => (userId === me ? [] : [name]))]);
    const said = `${label}: ${all.length}, ${names}`;
    const inside = html`${icon(sign, 's')}${all.length}`;
    return mayWrite(page)
      ? html`<button name="reaction" value="${one} ${isSet ? 'no' : 'yes'}" aria-pressed="${isSet ? 'true' : 'false'}" aria-label="${said}" title="${said}">${inside}</button>`
      : html`<span class="reaction" role="img" aria-label="${said}" title="${said}">${inside}</span>`;
  });
  return postForm(
    page.request,
    { action: `${pathOf(page, note)}/reactions`, hidden: page.listFields, live: '#work', class: 'reacts' },
    buttons,
  );
}

/** For owners of the workspace: the text before an edit or a deletion. */
export function previousText(page: ItemPage, changeId: number): Content {
  const text = page.opened.commentTexts?.[changeId];
  return (
    text !== undefined &&
    html`<details class="before"><summary>${icon('chevron-right', 's')}Show previous text</summary><blockquote><p class="as-is">${text}</p></blockquote></details>`
  );
}
