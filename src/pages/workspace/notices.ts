/** A member's notification settings for a workspace (behaviour §30.5). */
import { chooseForWorkspace } from '../../notifications/choose.ts';
import { button } from '../frame/components/button.ts';
import { card } from '../frame/components/panel.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refused, type SettingsData, settingsPage } from './settingsData.ts';
import { settingsForm } from './settingsForm.ts';

/** '' uses the setting for all workspaces. */
export const workspaceChoiceWords = {
  '': 'As I chose for all workspaces',
  page: 'In the inbox, never by mail',
  off: 'Nothing',
} as const;

const hints: Readonly<Record<keyof typeof workspaceChoiceWords, string>> = {
  '': 'Each kind comes as chosen under your profile.',
  page: 'What would be mailed, at once or in the mail of the day, is told in the inbox alone.',
  off: 'Neither mentions nor approvals that are asked of you: you see them only where they are.',
};

const show = (request: PageRequest, refused?: Refused): Promise<Answer> =>
  settingsPage(request, 'notices', (data) => noticesCard(data), refused);

function noticesCard(data: SettingsData): Content {
  const action = `${data.path}/notices`;
  const chosen = data.forms(action).value('choice', data.settings.notices ?? '');
  const choices = Object.entries(workspaceChoiceWords).map(
    ([value, words]) =>
      html`<label class="choice"><input type="radio" name="choice" value="${value}"${value === chosen && html` checked`}> ${words}<small>${hints[value as keyof typeof hints]}</small></label>`,
  );
  const form = postForm(
    data,
    { action, live: '#notices' },
    html`<fieldset class="choices"><legend>What you hear of ${data.settings.name}</legend>${choices}</fieldset>${button('Save', { kind: 'primary' })}`,
  );
  const more = html`<p class="hint">This is yours alone: everybody chooses for themselves. <a href="${data.basePath}/settings/notifications">What you are told of, and how</a></p>`;
  return card('Your notices', html`${data.problem('notices')}${form}${more}`, { id: 'notices' });
}

export const choiceIn = (sent: Form) => ({ choice: sent.text('choice') || null });

export const noticesRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings/notices', handle: (request) => show(request) },
  settingsForm('notices', chooseForWorkspace, choiceIn, { part: 'notices', card: 'notices', show }),
];
