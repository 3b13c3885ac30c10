/** The report of an import from another service, as text. */
import type { PlannedItem } from '../import/sources/planned.ts';
import type { Report } from '../import/sources/reportSchema.ts';
import { table } from './command.ts';

const MOST_LISTED = 50;

interface Counted {
  count: number;
}

function section<Entry extends Counted>(
  title: string,
  { entries, more }: { entries: Entry[]; more: number },
  line: (entry: Entry) => string,
): string[] {
  if (entries.length === 0) return [];
  const rest = more + Math.max(0, entries.length - MOST_LISTED);
  return [
    '',
    `${title}:`,
    ...entries.slice(0, MOST_LISTED).map((entry) => `  ${line(entry)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

const found = ({ name, label, how, count }: Report['statuses']['entries'][number]) => `${name} → ${label} (${how}): ${count}`;
const example = (keys: readonly string[]) => (keys.length ? `, such as ${keys.join(', ')}` : '');

export function reportText(report: Report): string {
  const { issues, comments, kept, points, parents, dependencies, skipped, refused } = report;
  return [
    `${issues} issues, ${comments} comments, ${parents} parents, ${dependencies} dependencies.`,
    ...report.file,
    `Kept: ${kept.entries.map(({ what, count }) => `${what} ${count}`).join(', ')}.`,
    ...(points
      ? [`Story points: ${points.points} on ${points.issues} issues are ${points.hours} hours (${points.hoursPerPoint} each).`]
      : []),
    ...section('Lost', report.lost, ({ column, count, keys }) => `${column}: ${count}${example(keys)}`),
    ...section('Changed', report.changed, ({ what, reason, count, keys }) => `${what}: ${reason}: ${count}${example(keys)}`),
    ...section('People', report.people, ({ name, as, member, count }) => `${name} → ${member ?? as}: ${count}`),
    ...section('Statuses', report.statuses, found),
    ...section('Priorities', report.priorities, found),
    ...section('Types', report.types, ({ name, as, label, count }) => `${name} → ${as}${label ? ` with label ${label}` : ''}: ${count}`),
    ...section('Labels', report.labels, ({ name, how, count }) => `${name} (${how}): ${count}`),
    ...section('Sprints', report.sprints, ({ name, as, count }) => `${name} → ${as}: ${count}`),
    ...section('Milestones', report.milestones, ({ name, as, count }) => `${name} → ${as}: ${count}`),
    ...(skipped.count ? ['', `Left out: ${skipped.count} (${skipped.reasons.join('; ')}).`] : []),
    ...(refused.count
      ? ['', `Refused: ${refused.count}`, ...refused.rows.slice(0, MOST_LISTED).map(({ line, reason }) => `  line ${line}: ${reason}`)]
      : []),
  ].join('\n');
}

export const itemsText = (items: readonly PlannedItem[]): string =>
  items.length === 0
    ? ''
    : table(
        items.map(({ key, type, status, title, labels, parentKey }) => ({
          key,
          type,
          status,
          title: title.slice(0, 60),
          labels,
          parent: parentKey,
        })),
      );
