/** Title, description and acceptance criteria of an item's page. Those who may change them edit them in place by script (behaviour §21.12). */
import type { LongText } from '../../changes/schema.ts';
import { assetPath } from '../frame/assets.ts';
import { section } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { type Content, html } from '../frame/html.ts';
import { postForm } from '../frame/postForm.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { type FormName, labels, typeLabel } from './fields.ts';
import { type ItemPage, linksOf } from './pageOf.ts';
import { propertyChips } from './properties.ts';
import { marksOf, typeSigns, valuesOf } from './values.ts';

/** The script with the rich editor, for `data-editor` of a textarea. */
export const editorPath = (basePath: string): string => basePath + assetPath('editor.js');

const mayEdit = ({ opened: { workspace, item } }: ItemPage): boolean => mayWork(workspace, item.type, 'write');

export function titlePart(page: ItemPage): Content {
  const { item, workspace } = page.opened;
  const [up] = linksOf(page.opened);
  const type = typeLabel(item.type);
  const kind = up ? html`${type} of <a href="${workspace.at}/items/${up.id}">${up.title}</a>` : type;
  const heading = html`<h1 dir="auto" class="shown">${item.title}</h1>`;
  const field = html`<label class="vh" for="edit-title-text">Title</label><textarea id="edit-title-text" name="title" rows="1" maxlength="600" required dir="auto" data-draft data-line>${`\n${item.title}`}</textarea>
<p class="hint keys-h"><kbd class="kbd">↵</kbd> saves <kbd class="kbd">Esc</kbd> cancels</p>`;
  return html`<div class="title"><p class="kind">${icon(typeSigns[item.type], 's')}<span>${kind}</span></p>
${inPlaceEdit(page, 'title', heading, field)}${propertyChips(page)}</div>`;
}

export function descriptionPart(page: ItemPage): Content {
  const { item, at } = page.opened;
  const link = html`<p><a class="quiet-link" href="${at}/edit#description" data-edit>Add a description</a></p>`;
  if (!item.description && !mayEdit(page)) return null;
  return textPart(page, 'description', item.description ? longText(page, item.description) : link);
}

export function acceptancePart(page: ItemPage): Content {
  const { acceptance } = page.opened.item.fields;
  return (
    acceptance && section({ title: 'Acceptance criteria', class: 'accepted' }, textPart(page, 'acceptance', longText(page, acceptance)))
  );
}

/** Scripts clamp it at 40 lines (behaviour §21.13). */
const longText = (page: ItemPage, text: string): Content => html`<div data-clamp>${page.prose(text)}</div>`;

function textPart(page: ItemPage, name: LongText, shown: Content): Content {
  const { item } = page.opened;
  const value = (name === 'description' ? item.description : item.fields.acceptance) ?? '';
  const id = `edit-${name}-text`;
  const field = html`<label class="vh" for="${id}">${labels[name]}</label><textarea id="${id}" name="${name}" rows="12" data-draft data-editor="${editorPath(page.request.basePath)}">${`\n${value}`}</textarea>
<footer><span class="meta" data-draft-told></span><span class="push"></span>${button('Cancel', { kind: 'quiet', small: true, attributes: html` data-cancel`, type: 'button' })}${button('Save', { kind: 'primary', small: true, key: 'Ctrl ↵' })}</footer>`;
  return inPlaceEdit(page, name, html`<div class="shown">${shown}</div>`, field);
}

/** The shown text and the form that replaces it. Without script the form stays hidden. */
function inPlaceEdit(page: ItemPage, name: FormName, shown: Content, field: Content): Content {
  if (!mayEdit(page)) return shown;
  const { item, workspace } = page.opened;
  const form = postForm(
    page.request,
    {
      action: `${workspace.path}/items/${item.id}/edit`,
      id: `edit-${name}`,
      class: 'edit-form',
      live: '#work',
      hidden: { version: item.version, marks: marksOf(valuesOf(item, [name])), ...page.listFields },
    },
    field,
  );
  const label = `Edit ${labels[name].toLowerCase()}`;
  return html`<div class="in-place in-place-${name}" data-in-place="${name}">${shown}<button class="icon-btn edit-here" type="button" data-edit hidden aria-label="${label}" title="${label}">${icon('pencil', 's')}</button>${form}</div>`;
}
