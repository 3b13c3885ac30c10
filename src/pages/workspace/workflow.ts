/** Statuses and priorities of a workspace (behaviour §12.13, §30.3). Only unused ones can be deleted. */
import {
  addPriority,
  addStatus,
  changePriority,
  deleteWord,
  limitStatus,
  movePriority,
  moveStatus,
  renameWord,
  setDefaultPriority,
} from '../../workspaces/workflow.ts';
import type { Form } from '../frame/forms.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { prioritiesCard } from './prioritiesCard.ts';
import { type FormPlace, type Refused, settingsForm, settingsPage, texts } from './settingsData.ts';
import { statusesCard } from './statusesCard.ts';

const show = (request: PageRequest, refused?: Refused): Promise<Answer> =>
  settingsPage(request, 'statuses', (data) => html`${statusesCard(data)}${prioritiesCard(data)}`, refused, { scripts: ['settings'] });

/** The given key, or one made from the name: "In test" gives in_test. */
export function keyOf(form: Form): string {
  const given = form.text('key');
  if (given) return given;
  const plain = form.text('label').normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return plain
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100);
}

const stepIn = (sent: Form) =>
  sent.has('before') ? { key: sent.text('key'), before: sent.text('before') || null } : texts(sent, 'key', 'direction');

const words: FormPlace = { part: 'statuses', card: 'statuses', show };
const ranked: FormPlace = { ...words, card: 'priorities' };

export const workflowRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings/statuses', handle: (request) => show(request) },
  settingsForm(
    'statuses/add',
    addStatus,
    (sent) => ({ key: keyOf(sent), ...texts(sent, 'label', 'status'), types: sent.all('types') }),
    words,
  ),
  settingsForm('statuses/rename', renameWord, (sent) => ({ kind: 'statuses', ...texts(sent, 'key', 'label') }), words),
  settingsForm(
    'statuses/limit',
    limitStatus,
    (sent) => ({ ...texts(sent, 'key'), wipItems: sent.number('wipItems'), wipHours: sent.number('wipHours') }),
    words,
  ),
  settingsForm('statuses/move', moveStatus, stepIn, words),
  settingsForm('statuses/delete', deleteWord, (sent) => ({ kind: 'statuses', ...texts(sent, 'key') }), words, 'deleted'),
  settingsForm('priorities/add', addPriority, (sent) => ({ key: keyOf(sent), ...texts(sent, 'label'), rank: sent.number('rank') }), ranked),
  settingsForm('priorities/change', changePriority, (sent) => ({ ...texts(sent, 'key', 'label'), rank: sent.number('rank') }), ranked),
  settingsForm('priorities/move', movePriority, stepIn, ranked),
  settingsForm('priorities/default', setDefaultPriority, (sent) => ({ key: sent.text('key') || null }), ranked),
  settingsForm('priorities/delete', deleteWord, (sent) => ({ kind: 'priorities', ...texts(sent, 'key') }), ranked, 'deleted'),
];
