/** Finds the status and the priority of a workspace that come nearest to another service's (behaviour §36.11). */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { ownValue } from '../../values/records.ts';
import { firstCharacters } from '../../values/text.ts';
import type { PriorityOption } from '../../workspaces/startingWorkflow.ts';
import { approvalStatuses, closedStatuses, type Status } from '../../workspaces/statuses.ts';
import type { ImportMap } from './map.ts';
import type { Facts, PlannedStatus } from './planned.ts';
import type { SourceIssue } from './source.ts';

export type How = 'mapped' | 'matched' | 'nearest' | 'created';

export interface FoundStatus {
  key: string;
  label: string;
  status: Status;
  how: How;
  created: PlannedStatus | null;
}

/** The first list with a word of the name decides. "Ready for review" is a review, "Ready for development" is planned. */
const statusWords: readonly [Status, readonly string[]][] = [
  [
    'cancelled',
    [
      'cancelled',
      'canceled',
      'cancel',
      "won't",
      'wont',
      'not planned',
      'rejected',
      'duplicate',
      'declined',
      'invalid',
      'abandoned',
      'obsolete',
      'abgebrochen',
    ],
  ],
  ['blocked', ['blocked', 'on hold', 'hold', 'waiting', 'impediment', 'paused', 'stuck', 'blockiert', 'wartet']],
  ['in_review', ['review', 'qa', 'test', 'testing', 'verify', 'verification', 'validation', 'staging', 'uat', 'prüfung']],
  [
    'done',
    [
      'done',
      'closed',
      'complete',
      'completed',
      'resolved',
      'released',
      'shipped',
      'deployed',
      'fixed',
      'finished',
      'live',
      'archive',
      'archived',
      'erledigt',
      'fertig',
    ],
  ],
  [
    'planned',
    [
      'backlog',
      'todo',
      'to do',
      'to-do',
      'open',
      'new',
      'ready',
      'selected',
      'triage',
      'idea',
      'ideas',
      'icebox',
      'next',
      'inbox',
      'planned',
      'reopened',
      'offen',
      'approved',
    ],
  ],
  [
    'in_progress',
    ['progress', 'doing', 'started', 'development', 'dev', 'active', 'wip', 'implementing', 'current', 'ongoing', 'working', 'arbeit'],
  ],
];

function hasWord(name: string, word: string): boolean {
  const at = name.indexOf(word);
  const isLetter = (character: string | undefined) => character !== undefined && /\p{L}/u.test(character);
  return at >= 0 && !isLetter(name[at - 1]) && !isLetter(name[at + word.length]);
}

function canonicalOf(name: string): Status | null {
  const lower = name.toLowerCase().replaceAll('’', "'");
  return statusWords.find(([, words]) => words.some((word) => hasWord(lower, word)))?.[0] ?? null;
}

/** The status from the map, else the one of this name, else the nearest one. Imports give no approvals. */
export function statusOf(issue: SourceIssue, type: ItemType, map: ImportMap, facts: Facts): FoundStatus {
  const options = facts.statuses.filter((one) => one.types.includes(type) && !approvalStatuses.includes(one.status));
  const name = issue.status ?? '';
  const mapped = options.find(({ key }) => key === ownValue(map.statuses, name));
  if (mapped) return { ...mapped, how: 'mapped', created: null };
  const matched = options.find(({ key, label }) => [key.toLowerCase(), label.toLowerCase()].includes(name.toLowerCase()));
  if (matched && isAgreed(issue, matched.status)) return { ...matched, how: 'matched', created: null };
  const canonical = nearestOf(issue, name);
  if (map.unknownStatuses === 'create' && name !== '' && !matched && canonicalOf(name) === canonical)
    return createdStatus(name, canonical, facts);
  const closed = closedStatuses.includes(canonical);
  const nearest =
    options.find(({ status }) => status === canonical) ??
    options.find(({ status }) => closedStatuses.includes(status) === closed) ??
    options[0];
  return nearest
    ? { ...nearest, how: 'nearest', created: null }
    : { key: canonical, label: canonical, status: canonical, how: 'nearest', created: null };
}

/** True if the source does not say that the issue is closed, or this status is closed, too. */
const isAgreed = ({ closed }: SourceIssue, status: Status): boolean => closed === null || closedStatuses.includes(status);

function nearestOf({ closed }: SourceIssue, name: string): Status {
  const canonical = canonicalOf(name) ?? 'planned';
  return closed !== null && !closedStatuses.includes(canonical) ? closed : canonical;
}

function createdStatus(name: string, status: Status, facts: Facts): FoundStatus {
  const key = firstCharacters(name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '_'), 90);
  const taken = new Set(facts.statuses.map((one) => one.key));
  const free = [key, ...Array.from({ length: 100 }, (_, n) => `${key}_${n + 2}`)].find((one) => !taken.has(one)) ?? key;
  const created: PlannedStatus = { key: free, label: name, status, types: [...itemTypes] };
  return { ...created, how: 'created', created };
}

/** Steps from the default priority. */
const priorityWords: Record<string, number> = {
  blocker: 2,
  critical: 2,
  urgent: 2,
  highest: 2,
  immediate: 2,
  p0: 2,
  major: 1,
  high: 1,
  p1: 1,
  hoch: 1,
  medium: 0,
  med: 0,
  normal: 0,
  moderate: 0,
  none: 0,
  'no priority': 0,
  p2: 0,
  mittel: 0,
  low: -1,
  minor: -1,
  p3: -1,
  niedrig: -1,
  lowest: -2,
  trivial: -2,
  p4: -2,
};

export interface FoundPriority {
  key: string;
  label: string;
  how: Exclude<How, 'created'>;
}

export function priorityOf(name: string, map: ImportMap, { priorities }: Facts): FoundPriority | null {
  const mapped = priorities.find(({ key }) => key === ownValue(map.priorities, name));
  if (mapped) return { key: mapped.key, label: mapped.label, how: 'mapped' };
  const lower = name.toLowerCase();
  const matched = priorities.find(({ key, label }) => [key.toLowerCase(), label.toLowerCase()].includes(lower));
  if (matched) return { key: matched.key, label: matched.label, how: 'matched' };
  const ranked = priorities.toSorted((a, b) => a.rank - b.rank);
  const steps = ownValue(priorityWords, lower) ?? 0;
  const usual = Math.max(0, usualOf(ranked));
  const nearest = ranked[Math.min(ranked.length - 1, Math.max(0, usual + steps))];
  return nearest ? { key: nearest.key, label: nearest.label, how: 'nearest' } : null;
}

/** The default, or the one in the middle. */
function usualOf(ranked: readonly PriorityOption[]): number {
  const at = ranked.findIndex((one) => one.default);
  return at >= 0 ? at : Math.floor((ranked.length - 1) / 2);
}
