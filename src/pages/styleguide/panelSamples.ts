import { avatar } from '../frame/components/avatar.ts';
import { asideSection, card, dialog, empty, notice, properties, section } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { table } from '../frame/components/row.ts';
import { statusIcon } from '../frame/components/status.ts';
import { ago, moment } from '../frame/components/when.ts';
import { html } from '../frame/html.ts';
import { people, type Samples } from './listSamples.ts';

const facts = properties([
  {
    label: 'Status',
    value: html`<button type="button">${statusIcon({ status: 'in_progress', label: '', beside: true })}In progress</button>`,
  },
  { label: 'Owner', value: html`<button type="button">${avatar(people.bo, { beside: true })}Bo Madsen</button>` },
  { label: 'Target', value: html`<button type="button">${icon('calendar')}9 December <span class="meta">in 14 days</span></button>` },
  {
    label: 'Release',
    value: html`<a href="#">${icon('ship')}<span class="cut">1.1 Cars and changes, with a name that does not fit</span></a>`,
  },
  { label: 'Recorded', value: '19 h 40 min' },
]);

const keyColumns = [{ label: 'Name' }, { label: 'Last used' }, { label: 'Calls', number: true }, { label: 'Actions', quiet: true }];

const revoke = (said?: string) => button('Revoke', { small: true, kind: 'danger', type: 'button', ...(said && { said }) });

export const panelSamples: Samples = {
  title: 'Panels',
  show: ({ clock, id }) => [
    ['Properties', asideSection('Properties', facts)],
    [
      'Card',
      card('Zone and locale', html`<p>Times are shown in Europe/Berlin.</p>`, {
        meta: 'only visible to you',
        action: button('Change', { small: true, type: 'button' }),
        level: 3,
      }),
    ],
    [
      'Section',
      section(
        {
          title: 'Subitems',
          meta: '17 h of 65 h done · 26 %',
          action: linkButton('#', 'Task', { kind: 'quiet', small: true, icon: 'plus' }),
        },
        html`<p>Rows.</p>`,
      ),
    ],
    [
      'Messages',
      html`<div class="sg-stack">${notice('done', 'Archived “Price of a vehicle”.', button('Undo', { small: true, type: 'button' }))}${notice('info', 'The forecast is being computed.')}${notice('warning', 'It would pass the limit of one plan.')}${notice('error', 'Another user changed this at the same time.')}</div>`,
    ],
    [
      'Empty state',
      empty({
        icon: 'inbox',
        title: 'No notifications',
        text: 'Mentions, approvals and assignments appear here.',
        action: linkButton('#', 'Go to my day'),
      }),
    ],
    [
      'Table',
      table({ caption: `Keys ${id}`, columns: keyColumns }, [
        ['CI', ago('2026-11-25T07:00:00Z', clock), '1,204', revoke()],
        ['Laptop', moment('2026-10-30T08:00:00Z', clock), '36', revoke('Revoke Laptop')],
        ['Never used', moment(null, clock), '0', null],
      ]),
    ],
    [
      'Dialog',
      html`<div class="sg-dialog">${dialog({ id: `${id}dialog`, title: 'Archive 3 tasks?', open: true, foot: [button('Cancel', { type: 'button' }), button('Archive', { kind: 'primary', type: 'button' })] }, html`<p>Archived items are hidden from lists. You can restore them.</p>`)}</div>`,
    ],
  ],
};
