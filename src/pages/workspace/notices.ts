/** A member's notification settings for a workspace (behaviour §30.5). */
import { chooseForWorkspace } from '../../notifications/choose.ts';
import { keysOf } from '../../values/records.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refused, type SettingsData, settingsForm, settingsPage } from './settingsData.ts';

/** '' uses the setting for all workspaces. */
export const workspaceChoiceWords = {
  '': 'Same as my account settings',
  page: 'Inbox only, no email',
  off: 'No notifications',
} as const;

const hints: Readonly<Record<keyof typeof workspaceChoiceWords, string>> = {
  '': 'Uses the notification settings of your profile.',
  page: 'Notifications from this workspace appear in your inbox. You get no email.',
  off: 'You get no notifications from this workspace, not even mentions and approval requests.',
};

const show = (request: PageRequest, refused?: Refused): Promise<Answer> =>
  settingsPage(request, 'notices', (data) => noticesCard(data), refused);

function noticesCard(data: SettingsData): Content {
  const action = `${data.path}/notices`;
  const chosen = data.forms(action).value('choice', data.settings.notices ?? '');
  const choices = keysOf(workspaceChoiceWords).map(
    (value) =>
      html`<label class="choice"><input type="radio" name="choice" value="${value}"${value === chosen && html` checked`}> ${workspaceChoiceWords[value]}<small>${hints[value]}</small></label>`,
  );
  const form = postForm(
    data,
    { action, live: '#notices' },
    html`<fieldset class="choices"><legend>Notifications from ${data.settings.name}</legend>${choices}</fieldset>${button('Save', { kind: 'primary' })}`,
  );
  const more = html`<p class="hint">This setting applies only to you. <a href="${data.basePath}/settings/notifications">Notification settings for all workspaces</a></p>`;
  return card('Your notifications', html`${data.problem('notices')}${form}${more}`, { id: 'notices' });
}

const choiceIn = (sent: Form) => ({ choice: sent.text('choice') || null });

export const noticesRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings/notices', handle: (request) => show(request) },
  settingsForm('notices', chooseForWorkspace, choiceIn, { part: 'notices', card: 'notices', show }),
];
