/** Unit, earlier and later, in the second line of the header. */
import { segments } from '../frame/components/segments.ts';
import { type Content, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import { type ListAddress, scales } from './listAddress.ts';
import { hrefOf, type ListPage } from './listPage.ts';
import { stretchOf } from './timelineAxis.ts';

const names = { weeks: 'Weeks', months: 'Months', quarters: 'Quarters' } as const;

export function timelineMoves(page: ListPage): Content {
  const { address, clock } = page;
  const stretch = stretchOf(address, clock);
  const to = (change: Partial<ListAddress>) => {
    const href = hrefOf(page, change);
    return { href, attributes: liveGet('#work') };
  };
  return html`${segments('Days', [
    { ...to({ start: stretch.earlier }), label: 'Earlier', icon: 'chevron-left', iconOnly: true },
    { ...to({ start: '' }), label: 'Today', current: stretch.usual },
    { ...to({ start: stretch.later }), label: 'Later', icon: 'chevron-right', iconOnly: true },
  ])}${segments(
    'Scale',
    // Keeps the current start, unless it is the default.
    scales.map((scale) => ({
      ...to({ scale, start: stretch.usual ? '' : stretch.from }),
      label: names[scale],
      current: scale === stretch.scale,
    })),
  )}`;
}
