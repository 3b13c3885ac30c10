/** Header of a week or month: links to the other views and to the previous and next one. On phones they are in a menu. */
import { segments } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { menuLine, menuTitle, option } from '../frame/components/palette.ts';
import { html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { PageRequest } from '../frame/page.ts';
import { PATH } from './landing.ts';

interface Span {
  word: 'week' | 'month';
  view: 'Days' | 'Grid' | 'Month';
  /** A day of the span. */
  date: string;
  meta: string;
  before: string;
  now: string;
  after: string;
  isNow: boolean;
}

export function switches({ basePath }: PageRequest, span: Span): Required<Pick<Page, 'meta' | 'view' | 'actions'>> {
  const { word, date, meta, isNow } = span;
  const moves = [
    { href: span.before, label: `Previous ${word}`, icon: 'chevron-left', iconOnly: true },
    { href: span.now, label: `This ${word}`, current: isNow },
    { href: span.after, label: `Next ${word}`, icon: 'chevron-right', iconOnly: true },
  ] as const;
  const views = [
    { href: `${basePath}${PATH}?week=${date}`, label: 'Days', icon: 'calendar' },
    { href: `${basePath}${PATH}/timesheet?week=${date}`, label: 'Grid', icon: 'table' },
    { href: `${basePath}${PATH}/month?month=${date.slice(0, 7)}`, label: 'Month', icon: 'columns-3' },
  ] as const;
  const title = word === 'week' ? 'Week' : 'Month';
  const panel = html`${menuTitle(title)}${moves.map((one) =>
    option(one.label, { ...one, icon: icon('icon' in one ? one.icon : 'calendar', 's') }),
  )}${menuLine}${views.map(({ href, label, icon: sign }) => option(label, { href, icon: icon(sign, 's'), current: label === span.view }))}`;
  return {
    meta,
    view: { label: `My ${word}, ${meta}. Change view`, panel },
    actions: html`${segments(
      'View',
      views.map(({ href, label }) => ({ href, label, current: label === span.view })),
    )}${segments(title, moves)}`,
  };
}
