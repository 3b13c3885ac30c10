/** SQL of the text search (behaviour §7.23) in items (one item_texts row each) and their comments. Trigram indexes find a substring; their
 *  keys are defined in sql/0040_search_words.sql and, for items, sql/0066_phrase_key.sql. */
import { bits } from '../../access/rights.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { containsPattern } from '../../values/text.ts';

const COMMENTS_READ = bits('comments', 'read');

export interface TextWanted {
  /** A literal, case-insensitive substring of the item's texts, or the item's number. */
  search?: string | undefined;
  searchIn?: 'text' | 'all' | undefined;
}

const pattern = ({ search = '' }: TextWanted) => sql.fragment`lower(${containsPattern(search)}::text)`;

const numberIn = ({ search = '' }: TextWanted): number | null => {
  const number = Number(/^\s*#?(\d{1,15})\s*$/.exec(search)?.[1] ?? 0);
  return number > 0 ? number : null;
};

const inNotes = ({ searchIn }: TextWanted) => searchIn === 'all';
export const readsNotes = sql.fragment`s.context_rights & ${COMMENTS_READ} <> 0`;
// Not `exists`: PostgreSQL might evaluate that for all items at once and read all comments.
const someNote = (wanted: TextWanted, itemId: Fragment) =>
  sql.fragment`(${readsNotes} and (select true from comments c where c.item_id = ${itemId} and lower(c.body) like ${pattern(wanted)} limit 1))`;

/** True if row `i` of stream `s` matches. Scalar subqueries, so that the planner can't start from them. */
export function isHit(wanted: TextWanted): Fragment {
  const number = numberIn(wanted);
  const inText = sql.fragment`(select t.words like ${pattern(wanted)} from item_texts t where t.workspace_id = i.workspace_id and t.item_id = i.id)`;
  const named = number === null ? inText : sql.fragment`(i.id = ${number} or ${inText})`;
  return inNotes(wanted) ? sql.fragment`(${named} or ${someNote(wanted, sql.fragment`i.id`)})` : named;
}

/** True if a trigram index can find it: a run of three letters, digits or `#`. A character of three bytes in UTF-8 counts as three. */
export function isIndexed(search: string): boolean {
  const runs = search.match(/(?:[\p{L}\p{N}#]|[^\x00-\x7f])+/gu) ?? [];
  const lengthOf = (run: string) => [...run].reduce((sum, letter) => sum + (letter.codePointAt(0)! < 0x800 ? 1 : 3), 0);
  return runs.some((run) => lengthOf(run) >= 3);
}

/** In item texts blanks count as letters; in comments they do not. */
export const hasIndex = ({ search = '', ...wanted }: TextWanted): boolean =>
  isIndexed(inNotes(wanted) ? search : search.replace(/[ \n\r\t]/g, 'z'));

/** Item ids in the workspace of `s` whose texts match, with duplicates. Materialized, so that the planner does not scan all texts in id
 *  order. */
export function indexedHits(wanted: TextWanted): Fragment {
  const number = numberIn(wanted);
  const ofNumber = sql.fragment`union all select t.item_id from item_texts t where t.workspace_id = s.workspace_id and t.item_id = ${number}`;
  const ofNotes = sql.fragment`union all select c.item_id from comments c
    where ${readsNotes} and c.workspace_id = s.workspace_id
      and search_key(lower(c.body)) like (select search_key(${pattern(wanted)})) and lower(c.body) like ${pattern(wanted)}`;
  return sql.fragment`
    with hits as materialized (
      select t.item_id from item_texts t
      where t.workspace_id = s.workspace_id
        and phrase_key(t.words) like (select phrase_key(${pattern(wanted)})) and t.words like ${pattern(wanted)}
      ${number === null ? sql.fragment`` : ofNumber} ${inNotes(wanted) ? ofNotes : sql.fragment``}
    ) select item_id from hits`;
}

export const textHits = (wanted: TextWanted): Fragment =>
  hasIndex(wanted) ? sql.fragment`select distinct item_id from (${indexedHits(wanted)}) h order by item_id` : hitsInOrder(wanted, 0, null);

/** Item ids after the cursor whose texts match, each once, by scanning at most `most` texts in id order. */
export function hitsInOrder(wanted: TextWanted, afterId: number, most: Fragment | null): Fragment {
  const number = numberIn(wanted);
  const hit = sql.fragment`(t.words like ${pattern(wanted)}
    ${number === null ? sql.fragment`` : sql.fragment`or t.item_id = ${number}`}
    ${inNotes(wanted) ? sql.fragment`or ${someNote(wanted, sql.fragment`t.item_id`)}` : sql.fragment``})`;
  const some = most ? sql.fragment`limit ${most}` : sql.fragment``;
  return sql.fragment`select t.item_id from (select t.* ${textsAfter(afterId)} order by t.workspace_id, t.item_id ${some}) t where ${hit}`;
}

const textsAfter = (afterId: number) =>
  sql.fragment`from item_texts t where (t.workspace_id, t.item_id) > (s.workspace_id, ${afterId}::bigint) and t.workspace_id <= s.workspace_id`;

/** The id of the last of the next `most` texts; null if there are fewer. */
export const lastOf = (afterId: number, most: Fragment): Fragment =>
  sql.fragment`(select t.item_id ${textsAfter(afterId)} order by t.workspace_id, t.item_id offset ${most} - 1 limit 1)`;
