/** Collects the report of an import (behaviour §36.3). Memory is bounded: lists keep a limited number of different entries. */

import { firstCharacters } from '../../values/text.ts';
import type { SourceLinks } from './links.ts';
import type { ImportMap } from './map.ts';
import { findPerson } from './membersOf.ts';
import type { Facts, PlannedItem } from './planned.ts';
import type { Report } from './reportSchema.ts';
import type { Person, SourceIssue, SourceRow } from './source.ts';
import { priorityOf, statusOf } from './statusOf.ts';
import type { Survey } from './surveySchema.ts';
import { milestonesAs, typeOf } from './typeOf.ts';

const MOST_ENTRIES = 500;
const MOST_COUNTED = 5_000;
const MOST_ROWS = 1_000;
const MOST_KEYS = 5;

/** The sources cut names (`nameOf`). This bounds the report whatever they miss. */
const MOST_CHARACTERS = 400;
const cut = (text: string): string => firstCharacters(text, MOST_CHARACTERS);
const withCutTexts = <Entry extends object>(entry: Entry): Entry =>
  Object.assign(
    entry,
    Object.fromEntries(Object.entries(entry).flatMap(([name, value]) => (typeof value === 'string' ? [[name, cut(value)]] : []))),
  );

/** Counts by name; names beyond the limit only in sum. */
class Tally<Entry extends object> {
  readonly #entries = new Map<string, Entry & { count: number }>();
  #uncounted = 0;

  /** `make`: the entry of a new name. Returns null beyond the limit. */
  add(whole: string, make: () => Entry): (Entry & { count: number }) | null {
    const name = cut(whole);
    const known = this.#entries.get(name);
    if (known) {
      known.count++;
      return known;
    }
    if (this.#entries.size >= MOST_COUNTED) {
      this.#uncounted++;
      return null;
    }
    const entry = { ...withCutTexts(make()), count: 1 };
    this.#entries.set(name, entry);
    return entry;
  }

  list(): { entries: (Entry & { count: number })[]; more: number } {
    const sorted = [...this.#entries.values()].sort((a, b) => b.count - a.count);
    return { entries: sorted.slice(0, MOST_ENTRIES), more: Math.max(0, sorted.length - MOST_ENTRIES) + this.#uncounted };
  }
}

type EntryOf<Name extends keyof Report> = Report[Name] extends { entries: (infer Entry extends { count: number })[] }
  ? Omit<Entry, 'count'>
  : never;

export class Reporter {
  readonly #survey: Survey;
  readonly #map: ImportMap;
  readonly #facts: Facts;
  #issues = 0;
  #comments = 0;
  #points: NonNullable<Report['points']>;
  #skipped = 0;
  readonly #skippedReasons = new Set<string>();
  #refused = 0;
  readonly #refusedRows: Report['refused']['rows'] = [];
  #counts = { parents: 0, dependencies: 0 };
  readonly #kept = new Tally<EntryOf<'kept'>>();
  readonly #changed = new Tally<EntryOf<'changed'>>();
  readonly #lost = new Tally<EntryOf<'lost'>>();
  readonly #people = new Tally<EntryOf<'people'>>();
  readonly #statuses = new Tally<EntryOf<'statuses'>>();
  readonly #priorities = new Tally<EntryOf<'priorities'>>();
  readonly #labels = new Tally<EntryOf<'labels'>>();
  readonly #types = new Tally<EntryOf<'types'>>();
  readonly #sprints = new Tally<EntryOf<'sprints'>>();
  readonly #milestones = new Tally<EntryOf<'milestones'>>();

  constructor(survey: Survey, map: ImportMap, facts: Facts) {
    this.#survey = survey;
    this.#map = map;
    this.#facts = facts;
    this.#points = { issues: 0, points: 0, hoursPerPoint: map.hoursPerPoint, hours: 0 };
  }

  /** Call it before the labels of `planned` are added to the facts. */
  add(issue: SourceIssue, planned: PlannedItem): void {
    this.#issues++;
    this.#comments += issue.comments.length;
    for (const [what, value] of keptOf(issue)) if (value) this.#kept.add(what, () => ({ what }));
    for (const { what, reason } of planned.changed) this.#change(what, reason, issue.key);
    for (const column of new Set(issue.other)) this.#lose(column, issue.key);
    this.#addPeople(issue);
    this.#addWords(issue, planned);
    this.#addLabels(issue, planned);
    if (issue.points === null || issue.estimateHours !== null) return;
    this.#points.issues++;
    this.#points.points += issue.points;
    this.#points.hours += issue.points * this.#map.hoursPerPoint;
  }

  refuse(row: Extract<SourceRow, { refused: string }>): void {
    const { line, key, refused: reason } = row;
    if (row.skipped) {
      this.#skipped++;
      if (this.#skippedReasons.size < MOST_KEYS) this.#skippedReasons.add(cut(reason));
      return;
    }
    this.#refused++;
    if (this.#refusedRows.length < MOST_ROWS) this.#refusedRows.push({ line, key: key && cut(key), reason: cut(reason) });
  }

  /** Call it after the last `add`. */
  links(links: SourceLinks): void {
    this.#counts = links.counts();
    for (const { key, what, reason } of links.faults()) this.#change(what, reason, key);
  }

  report(): Report {
    return {
      format: this.#survey.format,
      file: this.#survey.notes,
      issues: this.#issues,
      comments: this.#comments,
      kept: this.#kept.list(),
      changed: this.#changed.list(),
      lost: this.#lost.list(),
      people: this.#people.list(),
      statuses: this.#statuses.list(),
      priorities: this.#priorities.list(),
      labels: this.#labels.list(),
      types: this.#types.list(),
      sprints: this.#sprints.list(),
      milestones: this.#milestones.list(),
      points: this.#points.issues > 0 ? this.#points : null,
      ...this.#counts,
      skipped: { count: this.#skipped, reasons: [...this.#skippedReasons] },
      refused: { count: this.#refused, rows: this.#refusedRows },
    };
  }

  #change(what: string, reason: string, key: string): void {
    addKey(
      this.#changed.add(`${what} ${reason}`, () => ({ what, reason, keys: [] })),
      key,
    );
  }

  #lose(column: string, key: string): void {
    addKey(
      this.#lost.add(column, () => ({ column, keys: [] })),
      key,
    );
  }

  #addPeople(issue: SourceIssue): void {
    this.#person(issue.assignee, true);
    this.#person(issue.reporter, false);
    for (const { author } of issue.comments) this.#person(author, false);
  }

  /** `assigned`: as an assignee, who must be a member. */
  #person(person: Person | null, assigned: boolean): void {
    if (!person) return;
    const { name, mail } = person;
    const find = () => findPerson(person, this.#map, this.#facts);
    const entry = this.#people.add(`${name} ${mail}`, () => {
      const { member, inviteMail, isNamed } = find();
      return { name, mail, as: member ? 'member' : isNamed ? 'invited' : 'named', member: member?.name ?? (isNamed ? inviteMail : null) };
    });
    if (!assigned || entry?.as !== 'named') return;
    entry.member = find().inviteMail;
    entry.as = entry.member ? 'invited' : 'unassigned';
  }

  #addWords(issue: SourceIssue, planned: PlannedItem): void {
    const { status, priority, type } = issue;
    if (status !== null)
      this.#statuses.add(`${status} ${planned.fields.statusKey}`, () => {
        const { key, label, how } = statusOf(issue, planned.type, this.#map, this.#facts);
        return { name: status, key, label, how };
      });
    const found = priority === null ? null : priorityOf(priority, this.#map, this.#facts);
    if (priority !== null && found) this.#priorities.add(priority, () => ({ name: priority, ...found }));
    if (type !== null) this.#types.add(type, () => ({ name: type, as: planned.type, label: typeOf(type, this.#map).label }));
  }

  #addLabels(issue: SourceIssue, planned: PlannedItem): void {
    const created = new Set(planned.newLabels);
    for (const name of planned.labels) {
      const entry = this.#labels.add(name.toLowerCase(), () => ({ name, how: created.has(name) ? 'created' : 'matched' }));
      if (entry && created.has(name)) entry.how = 'created';
    }
    const container = planned.container?.title;
    const sprintsAs = this.#map.sprints;
    for (const name of issue.sprints) {
      const as = sprintsAs === 'ignore' ? 'lost' : sprintsAs === 'milestones' && name === container ? 'milestone' : 'label';
      this.#sprints.add(name, () => ({ name, as }));
      if (as === 'lost') this.#lose('Sprint', issue.key);
    }
    const kind = milestonesAs(issue, this.#map);
    for (const name of issue.milestones) {
      const as =
        kind === 'ignore' ? 'lost' : name === container && kind !== 'labels' ? (kind === 'releases' ? 'release' : 'milestone') : 'label';
      this.#milestones.add(`${name} ${as}`, () => ({ name, as }));
      if (as === 'lost') this.#lose('Milestone', issue.key);
    }
  }
}

function addKey(entry: { keys: string[] } | null, key: string): void {
  if (entry && entry.keys.length < MOST_KEYS) entry.keys.push(cut(key));
}

const keptOf = (issue: SourceIssue): [what: string, value: unknown][] => [
  ['Title', issue.title],
  ['Description', issue.description],
  ['Status', issue.status],
  ['Priority', issue.priority],
  ['Type', issue.type],
  ['Labels', issue.labels.length],
  ['Story points', issue.points !== null],
  ['Estimate', issue.estimateHours !== null],
  ['Assignee', issue.assignee],
  ['Reporter', issue.reporter],
  ['Created', issue.createdAt],
  ['Closed', issue.closedAt],
  ['Start date', issue.startDate],
  ['Due date', issue.dueDate],
  ['Sprint', issue.sprints.length],
  ['Milestone', issue.milestones.length],
  ['Comments', issue.comments.length],
  ['Attachments', issue.attachments.length],
  ['Link', issue.url],
];
