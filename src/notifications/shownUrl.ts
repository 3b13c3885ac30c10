import { type Fragment, fixedSql } from '../database/db.ts';

/** SQL of a webhook's URL as people see it. Anyone with the whole URL of a chat can post to it, so
 *  people see only its host and last four characters.
 *  `row`: SQL of the webhook's row. */
export const shownUrl = (row: string): Fragment =>
  fixedSql(`case ${row}.format when 'stint' then ${row}.url
    else substring(${row}.url from '^[a-z]+://[^/]+/') || '…' || right(${row}.url, 4) end`);
