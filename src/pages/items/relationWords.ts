/** Changes of labels and blockers as words of the history (behaviour §33.4). Pure. */
import { z } from 'zod';
import type { ItemChange } from '../../changes/schema.ts';
import { labelChip } from '../frame/components/marks.ts';
import { type Content, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';

const Names = z.tuple([z.array(z.string()), z.array(z.string())]);
const Blockers = z.array(z.object({ id: z.number(), lagDays: z.number() }));
const Both = z.tuple([Blockers, Blockers]);

export const lagWords = (days: number): string => `${quantity(days, 'working day')} later`;

/** `at`: the workspace's path, for links to items. */
export function relationWords({ labels, blockedBy }: ItemChange['fields'], at: string): Content[] {
  return [...(labels ? labelWords(Names.parse(labels)) : []), ...(blockedBy ? blockerWords(Both.parse(blockedBy), at) : [])];
}

function labelWords([before, after]: z.infer<typeof Names>): Content[] {
  const chips = (names: readonly string[]) => names.map((name, n) => html`${n > 0 && ' '}${labelChip({ name, color: 'grey' })}`);
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  const word = (names: readonly string[]) => (names.length === 1 ? 'label' : 'labels');
  return [
    ...(added.length ? [html`added the ${word(added)} ${chips(added)}`] : []),
    ...(removed.length ? [html`removed the ${word(removed)} ${chips(removed)}`] : []),
  ];
}

function blockerWords([before, after]: z.infer<typeof Both>, at: string): Content[] {
  const link = (id: number) => html`<a href="${at}/items/${id}">#${id}</a>`;
  const lags = new Map(before.map(({ id, lagDays }) => [id, lagDays]));
  const kept = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap(({ id, lagDays }): Content[] => {
      if (!lags.has(id)) return [html`added the blocker ${link(id)}${lagDays > 0 && `, ${lagWords(lagDays)}`}`];
      return lags.get(id) === lagDays ? [] : [html`changed the lag of ${link(id)} to <b>${lagDays}</b> working days`];
    }),
    ...before.flatMap(({ id }): Content[] => (kept.has(id) ? [] : [html`removed the blocker ${link(id)}`])),
  ];
}
