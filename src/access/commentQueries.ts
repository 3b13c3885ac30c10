/** SQL of what only readers of comments are told. */
import { type Fragment, fixedSql, literals } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { bits } from './rights.ts';

/** Kinds of notifications that tell of a comment. */
export const commentKinds = ['mentioned', 'commented'] as const;

/** SQL text: whether `kind`, text of our own, is one of them. */
export const isCommentKind = (kind: string): Fragment => fixedSql(`${kind} in (${literals(commentKinds)})`);

/** Whether somebody with these rights may be told of this kind. Both are text of our own. */
export const commentsAllow = (kind: string, rights: string): Fragment =>
  sql.fragment`(not ${isCommentKind(kind)} or ${fixedSql(rights)} & ${bits('comments', 'read')} <> 0)`;
