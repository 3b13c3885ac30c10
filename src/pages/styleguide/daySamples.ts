import { ownValue } from '../../values/records.ts';
import { section } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { quickLine, understood } from '../frame/components/row.ts';
import { agenda, weekKey, weekStrip } from '../frame/components/stream.ts';
import { weekDays } from '../frame/components/when.ts';
import { html } from '../frame/html.ts';
import type { Samples } from './listSamples.ts';

/** Recorded and planned minutes. */
const week = {
  '2026-11-23': [310, 300],
  '2026-11-24': [385, 360],
  '2026-11-25': [172, 360],
  '2026-11-26': [0, 360],
  '2026-11-27': [0, 240],
};

export const daySamples: Samples = {
  title: 'Time',
  show: ({ clock, id }) => [
    [
      'Quick entry',
      html`<form action="#">${quickLine({ id: `${id}log`, name: 'text', label: 'Log time in words', value: '45m on words for every message yesterday', icon: 'timer', action: button('Log', { kind: 'primary', small: true, key: 'Enter', type: 'button' }), said: understood('Logs', { mark: '45 min' }, 'on', { mark: '33 Words for every message about changes' }, { mark: 'Tuesday 24 November' }) })}</form>`,
    ],
    [
      'A week',
      section(
        { title: 'This week', action: weekKey },
        html`<p class="tot"><span class="big">14 h 27 min</span><span class="meta">of 32 h · 13 h planned · 4 h 33 min free</span></p>${weekStrip(
          weekDays('2026-11-23', clock).map(({ date, name }) => {
            const [recordedMinutes = 0, plannedMinutes = 0] = ownValue(week, date) ?? [];
            return { name, href: '#', recordedMinutes, plannedMinutes, current: date === clock.today };
          }),
          384,
        )}`,
      ),
    ],
    [
      'A day, hour by hour',
      agenda({
        from: 8,
        to: 18,
        planned: 'Planned 6 h',
        recorded: 'Recorded 2 h 52 min',
        now: { minute: 11 * 60 + 42, words: '11:42' },
        hourName: (hour) => `${String(hour).padStart(2, '0')}:00`,
        blocks: [
          { lane: 'plan', from: 540, to: 660, title: 'Words for every message about changes', note: '09:00–11:00', href: '#' },
          { lane: 'plan', from: 660, to: 690, title: 'Decide on requirement 12', href: '#' },
          { lane: 'plan', from: 780, to: 930, title: 'Ask three harbour offices to try it', note: '13:00–15:30, reminder', href: '#' },
          { lane: 'plan', from: 840, to: 900, title: 'Standing appointment', note: '14:00–15:00' },
          { lane: 'real', from: 495, to: 535, title: 'Change a booking', note: '08:15–08:55', href: '#' },
          { lane: 'real', from: 550, to: 625, title: 'Words for every message…', note: '09:10–10:25 · 1 h 15 min', href: '#' },
          { lane: 'real', from: 625, to: 645, title: '20 min open', gap: true },
          { lane: 'real', from: 645, to: 702, title: 'Words for every message…', note: 'since 10:45 · 57 min', href: '#', live: true },
        ],
      }),
    ],
  ],
};
