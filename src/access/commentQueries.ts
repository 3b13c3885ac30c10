import { type Fragment, fixedSql, literals } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { bits } from './rights.ts';

export const commentKinds = ['mentioned', 'commented'] as const;

/** SQL condition. `kind` is inserted as SQL text: never pass user input. */
export const isCommentKind = (kind: string): Fragment => fixedSql(`${kind} in (${literals(commentKinds)})`);

/** SQL condition: `rights` allow notifications of this kind. Both are inserted as SQL text: never pass user input. */
export const commentsAllow = (kind: string, rights: string): Fragment =>
  sql.fragment`(not ${isCommentKind(kind)} or ${fixedSql(rights)} & ${bits('comments', 'read')} <> 0)`;
