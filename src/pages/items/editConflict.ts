/** Two versions of an item's fields side by side: each is chosen before saving (behaviour §21.14). */
import type { ItemChange } from '../../changes/schema.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { type AvatarProps, avatar } from '../frame/components/avatar.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { momentWords, within } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { whoChanged } from './changeLine.ts';
import type { Editing } from './editing.ts';
import { type FormName, isText, labelOf, labels, typeLabel } from './fields.ts';
import { displayedValue } from './form.ts';
import { crumbsTo } from './head.ts';
import { listFields } from './pageOf.ts';
import { editorPath } from './texts.ts';
import { bothOf, type Difference, marksOf, type Reconciled } from './values.ts';

interface Side {
  whose: string;
  when: string;
  who: AvatarProps | null;
}

export function conflictPage(request: PageRequest, editing: Editing, reconciled: Reconciled): Answer {
  const { item, workspace, at, history } = editing;
  const clock = clockOf(request);
  const version = request.form.number('version') ?? 0;
  const who = whoChanged(history, version);
  const { differences, merged, mine } = reconciled;
  const latest = history.find((change) => change.version > version && change.commentId === undefined);
  const theirs = {
    whose: `${who}’s version`,
    when: latest ? `saved ${within(momentWords(latest.at, clock))}` : 'saved',
    who: latest ? { ...latest.actor, kind: 'person' as const } : null,
  };
  const ours = { whose: 'Your version', when: 'not saved yet', who: { ...request.user, kind: 'person' } } as const;
  const sent = [...mine, ...differences.map(({ name }) => name)];
  const stored = Object.fromEntries([...mine.map((name) => [name, '']), ...differences.map(({ name, theirs: value }) => [name, value])]);
  const hidden = { version: item.version, marks: marksOf(stored), ...listFields(request) };
  const chosen = mine.map((name) => html`<textarea name="${name}" hidden>${`\n${merged[name] ?? ''}`}</textarea>`);
  const save = html`<footer class="savebar"><span role="status" data-chosen="${differences.length}">Choose a version of each field to save.</span><span class="push"></span>${linkButton(at, 'Cancel', { kind: 'quiet' })}${
    differences.length > 1 &&
    html`<button class="btn at-wide" type="button" data-use-all="theirs" hidden>Use all of theirs</button><button class="btn at-wide" type="button" data-use-all="mine" hidden>Use all of mine</button>`
  }${button('Save', { kind: 'primary', key: 'Ctrl ↵' })}</footer>`;
  return {
    title: `${typeLabel(item.type)} ${item.id}`,
    tab: `Conflict: ${item.title}`,
    status: 409,
    wide: true,
    ownHeading: true,
    scripts: ['item'],
    sheets: ['editor', 'conflict'],
    itemType: item.type,
    crumbs: crumbsTo(workspace, item.type),
    body: postForm(
      request,
      { action: `${workspace.path}/items/${item.id}/edit`, hidden, class: 'conflict-form' },
      html`<div class="conf"><div class="lead-c"><span class="ic">${icon('split', 'l')}</span><div><h1>${who} changed this ${item.type} while you edited it</h1><p role="alert">${
        sent.length > 0
          ? 'Choose a version of each field. Nothing is lost and nothing is saved until you save.'
          : 'Your changes are saved when you press Save.'
      }</p></div></div>
${mergedWords(clock, editing, reconciled, who)}${differences.map((one) => fieldPart(request, editing, one, beforeOf(history, version, one.name), theirs, ours))}${chosen}</div>${save}`,
    ),
  };
}

const list = new Intl.ListFormat('en-GB');

function mergedWords(clock: Clock, { choices }: Editing, { mine, theirs, merged }: Reconciled, who: string): Content {
  if (mine.length + theirs.length === 0) return null;
  const words = (name: FormName, whose: string): string => {
    const label = labelOf(name).replace(/^./, (first) => first.toLowerCase());
    const value = isText(name) ? '' : displayedValue(name, merged[name] ?? '', choices, clock);
    return `${label}${value && ` ${value}`} (${whose})`;
  };
  const all = [...theirs.map((name) => words(name, who)), ...mine.map((name) => words(name, 'you'))];
  return html`<p class="merged">${icon('circle-check', 's')}<span><b>Merged already:</b> ${list.format(all)}.</span></p>`;
}

/** The value before others changed it; undefined if unknown, as for long texts. */
function beforeOf(history: readonly ItemChange[], version: number, name: FormName): string | undefined {
  const first = history.filter((change) => change.version > version && name in change.fields).at(-1)?.fields[name];
  return Array.isArray(first) ? String(first[0] ?? '') : undefined;
}

function fieldPart(
  request: PageRequest,
  { choices }: Editing,
  { name, mine, theirs }: Difference,
  before: string | undefined,
  other: Side,
  own: Side,
): Content {
  const clock = clockOf(request);
  const shown = (value: string, against: string): Content => {
    if (isText(name)) return html`<p class="as-is" dir="auto">${marked(value, against)}</p>`;
    const words = displayedValue(name, value, choices, clock) || 'empty';
    if (name === 'title') return html`<p class="big" dir="auto">${value}</p>`;
    const was = before !== undefined && displayedValue(name, before, choices, clock);
    return html`<p class="pairv">${was && html`<del>${was}</del>${icon('arrow-right', 's')}`}<b>${words}</b></p>`;
  };
  const side = (key: string, value: string, against: string, { whose, when, who }: Side) =>
    html`<div class="ver"><header>${avatar(who, { beside: true })}<span><b>${whose}</b> <span class="meta">${when}</span></span><label class="btn small use"><input type="radio" name="${name}" value="${value}" data-side="${key}" required autocomplete="off"><span class="vh">${labels[name]}, ${whose}: </span><span class="pick">Use this</span><span class="picked">${icon('check', 's')}Using this</span></label></header><div class="val">${shown(value, against)}</div></div>`;
  const both = isText(name) && theirs.trim() !== '' && mine.trim() !== '';
  return html`<fieldset class="cf"><legend><h2>${labels[name]}</h2>${isText(name) && html`<span class="meta">Marked: where the versions differ</span>`}${
    both &&
    html`<label class="btn small quiet use"><input type="radio" name="${name}" value="" data-side="both" required autocomplete="off"><span class="pick">Use both and edit</span><span class="picked">${icon('check', 's')}Using both</span></label>`
  }</legend><div class="two-v">${side('theirs', theirs, mine, other)}${side('mine', mine, theirs, own)}</div>${both && bothField(request, name, `${theirs}\n\n${mine}`)}</fieldset>`;
}

const bothField = ({ basePath }: PageRequest, name: FormName, text: string): Content =>
  html`<div class="both-v"><label for="${bothOf(name)}">Both versions, one after the other</label><textarea id="${bothOf(name)}" name="${bothOf(name)}" rows="12" dir="auto" autocomplete="off" data-editor="${editorPath(basePath)}">${`\n${text}`}</textarea></div>`;

/** Marks from the first to the last word that differs. */
function marked(text: string, against: string): Content {
  const [words, others] = [text.split(/(?<=\s)/), against.split(/(?<=\s)/)];
  let from = 0;
  while (from < words.length && words[from] === others[from]) from++;
  let to = 0;
  while (to < words.length - from && to < others.length - from && words.at(-1 - to) === others.at(-1 - to)) to++;
  const middle = words.slice(from, words.length - to).join('');
  return html`${words.slice(0, from).join('')}${middle && html`<ins>${middle}</ins>`}${words.slice(words.length - to).join('')}`;
}
