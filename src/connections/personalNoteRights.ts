/** A connection's rights to its owner's personal notes, as bits (sql/0007_connections.sql, behaviour §11.2). */
export const personalNoteRights = ['read', 'add', 'edit', 'delete'] as const;
export type PersonalNoteRight = (typeof personalNoteRights)[number];

export function personalNoteBits(given: readonly PersonalNoteRight[]): number {
  return given.reduce((all, right) => all | (1 << personalNoteRights.indexOf(right)), 0);
}

export function personalNoteRightsOf(bits: number): PersonalNoteRight[] {
  return personalNoteRights.filter((_right, at) => bits & (1 << at));
}
