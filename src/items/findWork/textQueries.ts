/** SQL of searching texts (behaviour §7.23): of items, which have a row of item_texts each, and of their notes. An index of trigrams knows
 *  which texts can hold a part; the keys it is made of are sql/0040_search_words.sql and, of items, sql/0066_phrase_key.sql. */
import { bits } from '../../access/rights.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { holding } from '../../values/pattern.ts';

const COMMENTS_READ = bits('comments', 'read');

/** What texts are searched for. */
export interface TextWanted {
  /** Part of a text of the item, taken literally, in any case; or its number. */
  search?: string | undefined;
  /** `all`: in its notes, too. */
  searchIn?: 'text' | 'all' | undefined;
  afterId: number;
}

const pattern = ({ search = '' }: TextWanted) => sql.fragment`lower(${holding(search)}::text)`;

/** The number that is searched for: `24` or `#24`. */
const numberIn = ({ search = '' }: TextWanted): number | null => {
  const number = Number(/^\s*#?(\d{1,15})\s*$/.exec(search)?.[1] ?? 0);
  return number > 0 ? number : null;
};

const inNotes = ({ searchIn }: TextWanted) => searchIn === 'all';
/** For a row `s` of rights. */
export const readsNotes = sql.fragment`s.context_rights & ${COMMENTS_READ} <> 0`;
// Not `exists`, which PostgreSQL may answer for all items at once, by reading all comments.
const someNote = (wanted: TextWanted, itemId: Fragment) =>
  sql.fragment`(${readsNotes} and (select true from comments c where c.item_id = ${itemId} and lower(c.body) like ${pattern(wanted)} limit 1))`;

/** Whether the row `i` of the stream `s` is found. Subqueries by themselves: the planner must not start from them. */
export function isHit(wanted: TextWanted): Fragment {
  const number = numberIn(wanted);
  const inText = sql.fragment`(select t.words like ${pattern(wanted)} from item_texts t where t.workspace_id = i.workspace_id and t.item_id = i.id)`;
  const named = number === null ? inText : sql.fragment`(i.id = ${number} or ${inText})`;
  return inNotes(wanted) ? sql.fragment`(${named} or ${someNote(wanted, sql.fragment`i.id`)})` : named;
}

/** The index knows runs of three letters, digits or `#`; of letters that take three bytes each counts for three. */
export function isIndexed(search: string): boolean {
  const runs = search.match(/(?:[\p{L}\p{N}#]|[^\x00-\x7f])+/gu) ?? [];
  const lengthOf = (run: string) => [...run].reduce((sum, letter) => sum + (letter.codePointAt(0)! < 0x800 ? 1 : 3), 0);
  return runs.some((run) => lengthOf(run) >= 3);
}

/** Blanks count as letters in texts of items, and not in notes. */
export const hasIndex = ({ search = '', ...wanted }: TextWanted): boolean =>
  isIndexed(inNotes(wanted) ? search : search.replace(/[ \n\r\t]/g, 'z'));

/** A query of the ids of the workspace of `s`, after the cursor, whose texts hold what is searched for; some more than once. Fenced off: the
 *  planner must not go through all texts in id order when the index knows which. What is looked for is made into a key once, not for each
 *  text. */
export function indexedHits(wanted: TextWanted): Fragment {
  const { afterId } = wanted;
  const number = numberIn(wanted);
  const ofNumber = sql.fragment`union all select t.item_id from item_texts t where t.workspace_id = s.workspace_id and t.item_id = ${number} and t.item_id > ${afterId}`;
  const ofNotes = sql.fragment`union all select c.item_id from comments c
    where ${readsNotes} and c.workspace_id = s.workspace_id and c.item_id > ${afterId}
      and search_key(lower(c.body)) like (select search_key(${pattern(wanted)})) and lower(c.body) like ${pattern(wanted)}`;
  return sql.fragment`
    with hits as materialized (
      select t.item_id from item_texts t
      where t.workspace_id = s.workspace_id and t.item_id > ${afterId}
        and phrase_key(t.words) like (select phrase_key(${pattern(wanted)})) and t.words like ${pattern(wanted)}
      ${number === null ? sql.fragment`` : ofNumber} ${inNotes(wanted) ? ofNotes : sql.fragment``}
    ) select item_id from hits`;
}

/** The same in the order of ids, each once. */
export const textHits = (wanted: TextWanted): Fragment =>
  hasIndex(wanted) ? sql.fragment`select distinct item_id from (${indexedHits(wanted)}) h order by item_id` : hitsInOrder(wanted, null);

/** The same in the order of ids, by going through just these texts; `most` of them at most. */
export function hitsInOrder(wanted: TextWanted, most: Fragment | null): Fragment {
  const { afterId } = wanted;
  const number = numberIn(wanted);
  const hit = sql.fragment`(t.words like ${pattern(wanted)}
    ${number === null ? sql.fragment`` : sql.fragment`or t.item_id = ${number}`}
    ${inNotes(wanted) ? sql.fragment`or ${someNote(wanted, sql.fragment`t.item_id`)}` : sql.fragment``})`;
  const some = most ? sql.fragment`limit ${most}` : sql.fragment``;
  return sql.fragment`select t.item_id from (select t.* ${textsAfter(afterId)} order by t.workspace_id, t.item_id ${some}) t where ${hit}`;
}

const textsAfter = (afterId: number) =>
  sql.fragment`from item_texts t where (t.workspace_id, t.item_id) > (s.workspace_id, ${afterId}::bigint) and t.workspace_id <= s.workspace_id`;

/** The id of the last of `most` texts; null where there are fewer. */
export const lastOf = ({ afterId }: TextWanted, most: Fragment): Fragment =>
  sql.fragment`(select t.item_id ${textsAfter(afterId)} order by t.workspace_id, t.item_id offset ${most} - 1 limit 1)`;
