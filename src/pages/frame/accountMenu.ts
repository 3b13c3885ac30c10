import { type Theme, themes } from '../../accounts/schema.ts';
import type { FrameData, SignedIn } from '../../overviews/signedIn.ts';
import { release } from '../../values/version.ts';
import { avatar } from './components/avatar.ts';
import { icon } from './components/icon.ts';
import type { IconName } from './components/icons.ts';
import { hours } from './components/when.ts';
import { type Content, type Html, html } from './html.ts';
import { postForm } from './postForm.ts';
import type { Frame } from './widgets.ts';

const themeIcons: Readonly<Record<Theme, IconName>> = { system: 'monitor', light: 'sun', dark: 'moon' };
const themeNames: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

export function accountMenu(frame: Frame, user: SignedIn): Html {
  const { basePath, path, search } = frame;
  const choices = themes.map(
    (theme) =>
      html`<button class="theme" name="theme" value="${theme}" aria-pressed="${String(user.theme === theme)}">${icon(themeIcons[theme], 's')}${themeNames[theme]}</button>`,
  );
  return html`<details class="me"><summary>${avatar({ id: user.id, name: user.name, kind: 'person' }, { size: 'l', beside: true })}<span class="who"><b>${user.name}</b>${
    user.frame && worked(user.frame)
  }</span>${icon('chevrons-up-down')}<span class="vh">Your account</span></summary>
<div class="account">
<a class="opt" href="${basePath}/profile">${icon('user')}Profile</a>
<a class="opt" href="${basePath}/settings/sessions">${icon('monitor-smartphone')}Sessions</a>
<a class="opt" href="${basePath}/settings/notifications">${icon('bell')}Notifications</a>
<button class="opt" type="button" data-show-keys hidden>${icon('keyboard')}Keyboard shortcuts</button>
${postForm(frame, { action: '/theme', hidden: { back: path + search } }, html`<fieldset class="themes"><legend class="vh">Theme</legend>${choices}</fieldset>`)}
${postForm(frame, { action: '/sign-out' }, html`<button class="opt">${icon('log-out')}Sign out</button>`)}
<p class="hint">Stint ${release}</p>
</div></details>`;
}

function worked({ weekMinutes, weeklyMinutes }: FrameData): Content {
  if (weekMinutes === 0) return null;
  return html`<span>${hours(weekMinutes)}${weeklyMinutes !== null && ` of ${hours(weeklyMinutes)}`} this week</span>`;
}
