/** The preview and the report of an import (behaviour §36.20). */
import type { ImportDetails } from '../../import/runs/imports.ts';
import type { PlannedItem } from '../../import/sources/planned.ts';
import type { Report } from '../../import/sources/reportSchema.ts';
import { card, fold } from '../frame/components/boxes.ts';
import { type Column, table } from '../frame/components/row.ts';
import { day } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';
import { typeLabel } from '../items/fields.ts';
import type { SettingsData } from './settingsData.ts';

const counted = (count: number): string => count.toLocaleString('en');

export function previewCard({ clock }: SettingsData, { preview, statuses, members, report }: ImportDetails): Content {
  if (!report) return null;
  const columns = ['Key', 'Title', 'Type', 'Status', 'Assignee', 'Due date', 'Labels'].map((label) => ({ label }));
  const statusName = (item: PlannedItem) =>
    item.newStatus?.label ?? statuses.find(({ key }) => key === item.fields.statusKey)?.label ?? item.fields.statusKey;
  const rows = preview.map((item) => [
    item.key,
    html`<span dir="auto">${item.title}</span>`,
    typeLabel(item.type),
    statusName(item),
    members.find(({ id }) => id === item.fields.assigneeId)?.name ?? 'Unassigned',
    item.fields.dueDate && day(item.fields.dueDate, clock),
    item.labels.join(', '),
  ]);
  return card('Preview', table({ caption: 'Items to import', columns, class: 'wide' }, rows), {
    id: 'preview',
    meta: `The first ${preview.length} of ${counted(report.issues)}`,
  });
}

interface Part<Entry> {
  title: string;
  columns: readonly Column[];
  list: { entries: readonly Entry[]; more: number };
  row(entry: Entry): readonly Content[];
}

/** Folded, because most readers need only the numbers. */
function part<Entry>({ title, columns, list: { entries, more }, row }: Part<Entry>): Content {
  if (entries.length === 0) return null;
  const rest = more > 0 && html`<p class="meta">And ${counted(more)} more.</p>`;
  return fold(
    html`${title} <span class="meta">${counted(entries.length + more)}</span>`,
    html`${table({ caption: title, columns }, entries.map(row))}${rest}`,
  );
}

const examples = (keys: readonly string[]): Content => html`<small>${keys.join(', ')}</small>`;
const number = (label: string): Column => ({ label, number: true });

export function reportCard(report: Report): Content {
  const { issues, comments, kept, changed, lost, parents, dependencies, points, skipped, refused, file } = report;
  const facts = [
    quantity(issues, 'item'),
    quantity(comments, 'comment'),
    parents > 0 && quantity(parents, 'subtask'),
    dependencies > 0 && quantity(dependencies, 'dependency', 'dependencies'),
    points && `${counted(points.points)} story points as ${counted(points.hours)} hours`,
    skipped.count > 0 && `${quantity(skipped.count, 'row')} left out`,
  ].filter(Boolean);
  const body = html`<p>${facts.join(', ')}.</p>
${file.length > 0 && html`<ul>${file.map((line) => html`<li>${line}</li>`)}</ul>`}${skipped.reasons.length > 0 && html`<p class="hint">Left out: ${skipped.reasons.join(' ')}</p>`}
${refusedPart(refused)}
${part({
  title: 'Not imported',
  columns: [{ label: 'Column' }, number('Rows'), { label: 'Examples' }],
  list: lost,
  row: ({ column, count, keys }) => [column, counted(count), examples(keys)],
})}${part({
  title: 'Changed',
  columns: [{ label: 'Field' }, { label: 'Change' }, number('Items'), { label: 'Examples' }],
  list: changed,
  row: ({ what, reason, count, keys }) => [what, reason, counted(count), examples(keys)],
})}${part({
  title: 'Kept',
  columns: [{ label: 'Field' }, number('Values')],
  list: kept,
  row: ({ what, count }) => [what, counted(count)],
})}`;
  return card('Import report', body, { id: 'report' });
}

function refusedPart({ count, rows }: Report['refused']): Content {
  if (count === 0) return null;
  const columns = [{ label: 'Line' }, { label: 'Key' }, { label: 'Problem' }];
  return fold(
    html`Refused rows <span class="meta">${counted(count)}</span>`,
    html`<p class="hint">These rows are not imported. Correct them in the file, or import the other ones.</p>${table(
      { caption: 'Refused rows', columns },
      rows.slice(0, 50).map(({ line, key, reason }) => [counted(line), key ?? '–', reason]),
    )}`,
    { open: true },
  );
}
