/** All components in all states, light and dark, for developers and visual tests. Only in development (behaviour §18.1). */
import { clockAt } from '../frame/clock.ts';
import { type Html, html } from '../frame/html.ts';
import type { PageRequest, PageRoute } from '../frame/page.ts';
import { agentSamples } from './agentSamples.ts';
import { boardSamples } from './boardSamples.ts';
import { controlSamples } from './controlSamples.ts';
import { daySamples } from './daySamples.ts';
import { itemSamples, signSamples } from './itemSamples.ts';
import { listSamples, type Samples, textSamples } from './listSamples.ts';
import { panelSamples } from './panelSamples.ts';

const all: readonly Samples[] = [
  signSamples,
  controlSamples,
  panelSamples,
  listSamples,
  boardSamples,
  itemSamples,
  textSamples,
  daySamples,
  agentSamples,
];

/** A fixed Wednesday, so that relative dates never change. */
const clock = clockAt(Date.parse('2026-11-25T10:42:00Z'), 'Europe/Berlin');

function samplesInBothThemes(samples: Samples): Html {
  const side = (theme: 'light' | 'dark') =>
    html`<div class="sg-side" data-theme="${theme}">${samples
      .show({ clock, id: `${theme}-` })
      .map(([name, content]) => html`<div class="sg-one"><h3>${name}</h3><div class="sg-what">${content}</div></div>`)}</div>`;
  return html`<section class="sg-part"><h2>${samples.title}</h2><div class="sg-pair">${side('light')}${side('dark')}</div></section>`;
}

async function showStyleguide({ query }: PageRequest) {
  const part = query.get('part');
  return {
    title: 'Components',
    sheets: ['styleguide', 'heat'] as const,
    wide: true as const,
    body: html`<div class="sg">${all.filter(({ title }) => !part || title === part).map(samplesInBothThemes)}</div>`,
  };
}

export const styleguideRoutes: PageRoute[] = [{ method: 'GET', path: '/styleguide', development: true, handle: showStyleguide }];
