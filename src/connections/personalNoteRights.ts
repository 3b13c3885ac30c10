import { type AgentLevels, agentLevels } from '../access/rights.ts';

/** A connection's rights to its owner's personal notes, as bits (sql/0007_connections.sql, behaviour §11.2). */
export const personalNoteRights = ['read', 'add', 'edit', 'delete'] as const;
export type PersonalNoteRight = (typeof personalNoteRights)[number];

export function personalNoteBits(given: readonly PersonalNoteRight[]): number {
  return given.reduce((all, right) => all | (1 << personalNoteRights.indexOf(right)), 0);
}

export function personalNoteRightsOf(bits: number): PersonalNoteRight[] {
  return personalNoteRights.filter((_right, at) => bits & (1 << at));
}

export type InWords<Row> = Omit<Row, 'rights' | 'noteRights'> & { permissions: AgentLevels; notes: PersonalNoteRight[] };

/** A connection's row with its rights as levels by resource. */
export function inWords<Row extends { rights: number; noteRights: number }>({ rights, noteRights, ...row }: Row): InWords<Row> {
  return { ...row, permissions: agentLevels(rights), notes: personalNoteRightsOf(noteRights) };
}
