/** What a connection may do with its owner's personal notes, as bits (sql/0007_connections.sql, behaviour §11.2). */
export const noteRights = ['read', 'add', 'edit', 'delete'] as const;
export type NoteRight = (typeof noteRights)[number];

export function noteBits(given: readonly NoteRight[]): number {
  return given.reduce((all, right) => all | (1 << noteRights.indexOf(right)), 0);
}

export function noteRightsOf(bits: number): NoteRight[] {
  return noteRights.filter((_right, at) => bits & (1 << at));
}
