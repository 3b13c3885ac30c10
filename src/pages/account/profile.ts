/** /profile (behaviour §22.3). */

import { chooseTheme, detectZone, getProfile, type Profile, saveProfile } from '../../accounts/profile.ts';
import { type Theme, themes } from '../../accounts/schema.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { properties, section, tabs } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { exactly, hours } from '../frame/components/when.ts';
import { type Forms, formsOf } from '../frame/fields.ts';
import type { Form, Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { backOf, call } from '../frame/session.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { option, problemBox, quantity, zoneSelect } from '../frame/widgets.ts';
import { withPasswordConfirmation } from './confirmed.ts';
import { requestedAddressMail } from './linkMail.ts';

const places = [
  ['/profile', 'Profile'],
  ['/settings/hours', 'Absences and hours'],
  ['/settings/notifications', 'Notifications'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/password', 'Password'],
] as const;

export const profileTabs = ({ basePath }: { basePath: string }, here: (typeof places)[number][0]): Content =>
  tabs(
    'Your profile',
    places.map(([path, label]) => ({ href: basePath + path, label, current: path === here })),
  );

const themeNames: Readonly<Record<Theme, string>> = { system: 'Match system', light: 'Light', dark: 'Dark' };

const labels: Labels = { theme: 'Theme', name: 'Name', timezone: 'Time zone', email: 'New address', singleKeys: 'Keys' };

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const profile = await call(request, getProfile, {});
  const forms = formsOf(request, labels, refusal);
  return {
    title: 'Your profile',
    status: refusal?.status ?? 200,
    body: html`${profileTabs(request, '/profile')}<div class="profile">${problemBox(refusal?.problem)}
${section({ title: 'Profile', id: 'you' }, you(request, profile, forms))}
${section({ title: 'Email', id: 'email' }, email(request, profile, forms))}
${section({ title: 'Sign-in and notifications', id: 'access' }, access(request, profile))}</div>`,
  };
}

function you(request: PageRequest, profile: Profile, forms: Forms): Content {
  const fields = forms('/profile');
  return postForm(
    request,
    { action: '/profile', class: 'narrow' },
    fields.field(
      'name',
      (mark) => html`<input name="name" required maxlength="200" autocomplete="name" value="${fields.value('name', profile.name)}"${mark}>`,
    ),
    fields.field(
      'timezone',
      (mark) => zoneSelect(fields.value('timezone', profile.timezone), false, mark),
      'All pages show times and dates in this time zone. Recorded time uses UTC days.',
    ),
    fields.field(
      'theme',
      (mark) =>
        html`<select name="theme"${mark}>${themes.map((one) => option(one, themeNames[one], fields.value('theme', request.user.theme)))}</select>`,
    ),
    html`<label class="check"><input type="checkbox" name="singleKeys"${fields.ticked('singleKeys', 'on', profile.singleKeys) && html` checked`}> Single-key shortcuts, such as N for new and T for the timer. Press ? to show all.</label>
<div class="buttons"><button class="btn primary">Save</button></div>`,
  );
}

function email(request: PageRequest, { email: now, askedAddress }: Profile, forms: Forms): Content {
  const fields = forms('/profile/email');
  const present = html`<p>You sign in as <b>${now}</b>.</p>`;
  if (request.deps.config.mail.smtpUrl === undefined)
    return html`${present}<p class="hint">This installation sends no email. To change your address, ask the operator to run <code>stint user update</code>.</p>`;
  return html`${present}${requestedAddressMail(request, askedAddress)}${postForm(
    request,
    { action: '/profile/email', class: 'narrow' },
    fields.field(
      'email',
      (mark) =>
        html`<input type="email" name="email" required maxlength="320" autocomplete="email" value="${fields.value('email')}"${mark}>`,
      'We send a link to the new address. Your address changes when you open the link.',
    ),
    html`<div class="buttons"><button class="btn">Send confirmation link</button></div>`,
  )}`;
}

/** Hours a week. */
export const weeklyWords = (minutes: number | null): string => (minutes === null ? 'Not confirmed (forecasts use 40 h)' : hours(minutes));

function access(request: PageRequest, { weeklyMinutes, sessions, timezone }: Profile): Content {
  const clock = clockOf(request);
  const link = (path: string, label: string) => html`<a href="${request.basePath}${path}">${label}${icon('chevron-right', 's')}</a>`;
  return properties([
    { label: 'Password', value: link('/settings/password', 'Change password') },
    { label: 'Sessions', value: link('/settings/sessions', quantity(sessions, 'active session')) },
    { label: 'Notifications', value: link('/settings/notifications', 'Notification settings') },
    {
      label: 'Hours a week',
      value: html`<span>${weeklyWords(weeklyMinutes)} <span class="hint">An owner or administrator confirms this</span></span>`,
    },
    { label: 'Absences', value: link('/settings/hours', 'Absences and hours') },
    {
      label: 'Now',
      value: html`<span>${exactly(new Date(clock.now).toISOString(), { ...clock, zone: timezone })}</span>`,
    },
  ]);
}

const form = handlersOn(show, labels);

const save = form(
  saveProfile,
  (sent) => ({ name: sent.text('name'), timezone: sent.text('timezone'), singleKeys: sent.has('singleKeys'), theme: sent.text('theme') }),
  { redirect: '/profile', notice: 'saved' },
);

/** Sent by a script, for users who never chose a time zone. Unknown zones are ignored. */
const detect = handlersOn(() => ({ redirect: '/profile' }))(detectZone, (sent) => ({ timezone: sent.text('timezone') }), {
  redirect: '/profile',
});

function newAddress(sent: Form, { user }: PageRequest): { email: string } {
  const email = sent.text('email');
  if (email === user.email) throw new InvalidRequest(['email'], 'this is already your address. Enter another one.');
  return { email };
}

const askForEmail = (request: PageRequest): Promise<Answer> =>
  form(request.deps.emails.askForEmail, newAddress, { redirect: '/profile', notice: 'addressAsked' })(request);

async function choose(request: PageRequest): Promise<Answer> {
  await call(request, chooseTheme, { theme: request.form.text('theme') });
  return { redirect: backOf(request) };
}

export const profileRoutes: PageRoute[] = [
  { method: 'GET', path: '/profile', handle: (request) => show(request) },
  { method: 'POST', path: '/profile', handle: save },
  { method: 'POST', path: '/profile/zone', handle: detect },
  { method: 'POST', path: '/profile/email', handle: withPasswordConfirmation(askForEmail) },
  { method: 'POST', path: '/theme', handle: choose },
];
