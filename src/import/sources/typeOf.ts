/** Decides the item type, the milestone or release, and the labels of an issue (behaviour §36.11). */
import { type ItemType, itemTypes } from '../../access/rights.ts';
import { limits } from '../../operations/limits.ts';
import { ownValue } from '../../values/records.ts';
import { MOST_LABELS_ON_ITEM } from '../../workspaces/labelSchema.ts';
import type { ImportMap } from './map.ts';
import type { Container, Facts } from './planned.ts';
import type { SourceIssue } from './source.ts';
import { cleanLine } from './texts.ts';

export interface FoundType {
  type: ItemType;
  /** The type as a label. */
  label: string | null;
}

const typeWords: Record<string, ItemType> = {
  epic: 'requirement',
  initiative: 'requirement',
  objective: 'goal',
  version: 'release',
  issue: 'task',
  'sub-task': 'task',
  subtask: 'task',
};

export function typeOf(name: string | null, map: ImportMap): FoundType {
  if (name === null) return { type: 'task', label: null };
  const chosen = ownValue(map.types, name);
  if (chosen !== undefined) return chosen === 'label' ? { type: 'task', label: name } : { type: chosen, label: null };
  const lower = name.toLowerCase();
  const own = itemTypes.find((type) => type === lower) ?? ownValue(typeWords, lower);
  return own ? { type: own, label: null } : { type: 'task', label: name };
}

/** An item is in one milestone or release; further ones are labels. */
export function containerOf(issue: SourceIssue, type: ItemType, map: ImportMap): { container: Container | null; labels: string[] } {
  const kind = milestonesAs(issue, map);
  const asContainers = kind === 'milestones' || kind === 'releases';
  const sprints = map.sprints === 'milestones' ? issue.sprints : [];
  const labels = map.sprints === 'labels' ? issue.sprints : [];
  const all: Container[] = [
    ...(asContainers ? issue.milestones.map((title): Container => ({ type: kind === 'releases' ? 'release' : 'milestone', title })) : []),
    // The last sprint is the current one.
    ...sprints.toReversed().map((title): Container => ({ type: 'milestone', title })),
  ];
  const container = all.find((one) => canBeIn(type, one.type)) ?? null;
  const rest = all.filter((one) => one !== container).map(({ title }) => title);
  return {
    container: container && { ...container, title: cleanLine(container.title) },
    labels: [...labels, ...rest, ...(kind === 'labels' ? issue.milestones : [])],
  };
}

export const milestonesAs = ({ milestoneType }: SourceIssue, map: ImportMap): NonNullable<ImportMap['milestones']> =>
  map.milestones ?? (milestoneType === 'release' ? 'releases' : 'milestones');

const canBeIn = (type: ItemType, container: Container['type']): boolean =>
  container === 'release' ? ['task', 'requirement', 'milestone'].includes(type) : type === 'task';

export interface FoundLabels {
  labels: string[];
  newLabels: string[];
  /** Beyond the limits of the item or of the workspace. */
  beyond: string[];
}

/** Each once, as the workspace writes it. */
export function labelsOf(names: readonly string[], map: ImportMap, facts: Facts): FoundLabels {
  const chosen = names.flatMap((name) => (Object.hasOwn(map.labels, name) ? (map.labels[name] ?? []) : name));
  const byLower = new Map(chosen.map((name) => cleanLine(name, 80)).map((name) => [name.toLowerCase(), name] as const));
  byLower.delete('');
  const found: FoundLabels = { labels: [], newLabels: [], beyond: [] };
  for (const [lower, name] of byLower) {
    const known = facts.labels.get(lower);
    const isFull =
      found.labels.length === MOST_LABELS_ON_ITEM ||
      (known === undefined && facts.labels.size + found.newLabels.length >= limits.labels.most);
    if (isFull) found.beyond.push(name);
    else {
      found.labels.push(known ?? name);
      if (known === undefined) found.newLabels.push(name);
    }
  }
  return found;
}
