/** The choices of an import that is not started (behaviour §36.20). A change reads the file again and updates the preview. */

import { itemTypes } from '../../access/rights.ts';
import type { ImportDetails } from '../../import/runs/imports.ts';
import { ImportMap, sourceFields } from '../../import/sources/map.ts';
import type { Report } from '../../import/sources/reportSchema.ts';
import { formats } from '../../import/sources/source.ts';
import { keysOf, ownValue } from '../../values/records.ts';
import { card, fold } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { option, zoneSelect } from '../frame/widgets.ts';
import { typeLabel } from '../items/fields.ts';
import { peopleOf, peopleTables } from './importPeople.ts';
import { type Choice, choiceTable, MOST_SHOWN, pair, pairsOf, selectOf, usual } from './importTables.ts';
import { formatNames, onePath, sendsMail } from './importWords.ts';
import type { SettingsData } from './settingsData.ts';

export const choiceLabels = {
  format: 'Format',
  hoursPerPoint: 'Hours per story point',
  timezone: 'Time zone',
  columns: 'Columns',
  people: 'People',
};

const howWords = { mapped: '', matched: '', nearest: ' (nearest)', created: ' (new)' } as const;

export function choicesCard(request: PageRequest, data: SettingsData, found: ImportDetails): Content {
  const { map, survey, report, source } = found;
  const action = `${onePath(request)}/choices`;
  const fields = data.forms(action);
  const form = postForm(
    request,
    { action, live: '#import', multipart: true },
    html`<div class="sides">${fields.field('format', (mark) => html`<select name="format"${mark}>${formats.map((one) => option(one, formatNames[one], source))}</select>`)}
${report?.points && fields.field('hoursPerPoint', (mark) => html`<input name="hoursPerPoint" type="number" step="any" min="0" max="1000" value="${fields.value('hoursPerPoint', String(map.hoursPerPoint))}"${mark}>`, null, choiceLabels.hoursPerPoint)}
${selectOf(
  'sprints',
  'Sprints and cycles',
  [
    ['labels', 'Labels'],
    ['milestones', 'Milestones'],
    ['ignore', 'Left out'],
  ],
  map.sprints,
  (report?.sprints.entries.length ?? 0) > 0,
)}
${selectOf(
  'milestones',
  'Milestones and versions',
  [
    ['', 'As proposed'],
    ['milestones', 'Milestones'],
    ['releases', 'Releases'],
    ['labels', 'Labels'],
    ['ignore', 'Left out'],
  ],
  map.milestones ?? '',
  (report?.milestones.entries.length ?? 0) > 0,
)}
${survey?.columns.length ? fields.field('timezone', (mark) => zoneSelect(map.timezone, false, mark), null, 'Time zone of the file') : null}</div>
${dateChoices(found)}${columnTable(found)}${report && valueTables(found, report, sendsMail(request))}`,
    button('Update preview', { kind: 'primary' }),
  );
  return card('Choices', html`${data.problem('choices')}${form}`, { id: 'choices' });
}

/** Only for columns whose dates do not show the order of day and month. */
function dateChoices({ survey, map }: ImportDetails): Content {
  const columns = survey?.columns.filter(({ ambiguous }) => ambiguous) ?? [];
  const words = { 'day-month': 'Day/month', 'month-day': 'Month/day' } as const;
  const selects = columns.map(({ name, dates }) => {
    const choices: Choice[] = [
      ['', `As proposed: ${words[dates ?? 'day-month'].toLowerCase()}`],
      ...keysOf(words).map((order): Choice => [order, words[order]]),
    ];
    return html`<label><span dir="auto">${name}</span> ${pair('date', name, choices, ownValue(map.dates, name) ?? '')}</label>`;
  });
  return (
    columns.length > 0 &&
    html`<fieldset class="many"><legend>Order of dates such as 03/04/2026</legend><div class="sides">${selects}</div></fieldset>`
  );
}

function columnTable({ survey, map }: ImportDetails): Content {
  if (!survey?.columns.length) return null;
  const columns = [{ label: 'Column' }, { label: 'Rows', number: true }, { label: 'First values' }, { label: 'Field' }];
  const choices: Choice[] = [
    ['', 'Not imported'],
    ...keysOf(sourceFields)
      .filter((name) => name !== 'ignore')
      .map((name): Choice => [name, sourceFields[name]]),
  ];
  const rows = survey.columns
    .slice(0, MOST_SHOWN)
    .map(({ name, count, samples, field }) => [
      name,
      count.toLocaleString('en'),
      html`<small dir="auto">${samples.join(' · ')}</small>`,
      pair('column', name, choices, map.columns[name] ?? field ?? ''),
    ]);
  return fold(html`Columns <span class="meta">${survey.columns.length}</span>`, table({ caption: 'Columns', columns }, rows));
}

function valueTables(found: ImportDetails, report: Report, mailed: boolean): Content {
  const { map, statuses, priorities } = found;
  return html`${choiceTable({
    kind: 'status',
    title: 'Statuses',
    entries: report.statuses.entries,
    choices: [usual, ...statuses.map(({ key, label }): Choice => [key, label])],
    chosenOf: ({ name }) => map.statuses[name] ?? '',
    becomes: ({ label, how }) => `${label}${howWords[how]}`,
  })}${choiceTable({
    kind: 'priority',
    title: 'Priorities',
    entries: report.priorities.entries,
    choices: [usual, ...priorities.map(({ key, label }): Choice => [key, label])],
    chosenOf: ({ name }) => map.priorities[name] ?? '',
    becomes: ({ label, how }) => `${label}${howWords[how]}`,
  })}${choiceTable({
    kind: 'type',
    title: 'Types',
    entries: report.types.entries,
    choices: [usual, ...itemTypes.map((type): Choice => [type, typeLabel(type)]), ['label', 'Task with a label']],
    chosenOf: ({ name }) => map.types[name] ?? '',
    becomes: ({ as, label }) => (label ? `Task with the label ${label}` : as),
  })}${peopleTables(found, report, mailed)}${choiceTable({
    kind: 'label',
    title: 'Labels',
    entries: labelsOf(map, report),
    choices: [usual, [LEFT_OUT, 'Left out'], ...(Object.values(map.labels).some(Boolean) ? [[RENAMED, 'Another label'] as const] : [])],
    chosenOf: ({ name }) => (map.labels[name] === null ? LEFT_OUT : map.labels[name] ? RENAMED : ''),
    becomes: ({ name, how }) => (map.labels[name] === null ? 'Left out' : `${map.labels[name] ?? name}${howWords[how]}`),
  })}<div class="sides">${selectOf(
    'unknownStatuses',
    'Statuses that this workspace does not have',
    [['nearest', 'Use the nearest one'], ...(found.mayCreateStatuses ? [['create', 'Create them'] as const] : [])],
    map.unknownStatuses,
    true,
  )}</div>`;
}

const LEFT_OUT = 'out';
/** Only a map.json names the other label. */
const RENAMED = 'renamed';

/** The report has labels as they become, so those that the map replaces are added. */
function labelsOf({ labels }: ImportMap, { labels: { entries } }: Report): Report['labels']['entries'] {
  const listed = new Set(entries.map(({ name }) => name));
  const replaced = Object.keys(labels).filter((name) => !listed.has(name));
  return [...replaced.map((name) => ({ name, count: 0, how: 'matched' as const })), ...entries];
}

/** An ImportMap, not yet checked: the choices of the form, and earlier ones about names that the form does not list. */
export function mapOf(form: Form, { map, state }: ImportDetails): object {
  // The choices may be why the file can't be read.
  const earlier = state === 'unreadable' ? ImportMap.parse({}) : map;
  const columns = form.all('columnTo');
  const unlisted = (kind: string, choices: object) => {
    const listed = new Set(form.all(kind));
    return Object.entries(choices).filter(([name]) => !listed.has(name));
  };
  const merged = (kind: string, choices: object, chosen: Iterable<[string, unknown]> = pairsOf(form, kind)) =>
    Object.fromEntries([...unlisted(kind, choices), ...chosen]);
  return {
    ...earlier,
    columns: merged(
      'column',
      earlier.columns,
      form.all('column').map((name, at) => [name, columns[at] || 'ignore']),
    ),
    statuses: merged('status', earlier.statuses),
    priorities: merged('priority', earlier.priorities),
    types: merged('type', earlier.types),
    people: merged('person', earlier.people, peopleOf(form)),
    dates: merged('date', earlier.dates),
    labels: merged(
      'label',
      earlier.labels,
      pairsOf(form, 'label').map(([name, to]) => [name, to === RENAMED ? earlier.labels[name] : null]),
    ),
    ...(form.has('hoursPerPoint') && { hoursPerPoint: form.number('hoursPerPoint') ?? Number.NaN }),
    ...Object.fromEntries(
      ['sprints', 'milestones', 'unknownStatuses', 'unknownPeople', 'timezone']
        .filter((name) => form.has(name))
        .map((name) => [name, form.text(name) || undefined]),
    ),
  };
}
