/** SQL of the text search (behaviour §7.23) in items (one item_texts row each) and their comments. Trigram indexes find a substring; their
 *  keys are defined in sql/0040_search_words.sql and, for items, sql/0066_phrase_key.sql. */
import { COMMENTS_READ } from '../../access/rights.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { elementAt } from '../../values/records.ts';
import { containsPattern } from '../../values/text.ts';
import { alternativesOf, keysOf, numbersOf } from './searchPhrases.ts';

export interface TextWanted {
  search: string;
  searchIn?: 'text' | 'all' | undefined;
}

const nothing = sql.fragment``;
export const patternOf = (phrase: string) => sql.fragment`lower(${containsPattern(phrase)}::text)`;
const everyOf = (conditions: readonly Fragment[]) => sql.fragment`(${sql.join([...conditions], sql.fragment` and `)})`;
const someOf = (conditions: readonly Fragment[]) => sql.fragment`(${sql.join([...conditions], sql.fragment` or `)})`;

const inNotes = ({ searchIn }: TextWanted) => searchIn === 'all';
export const readsNotesIn = (alias: 's' | 'access') => sql.fragment`${fixedSql(alias)}.context_rights & ${COMMENTS_READ} <> 0`;
export const readsNotes = readsNotesIn('s');
// Not `exists`: PostgreSQL might evaluate that for all items together and read all comments.
const someNote = (phrase: string, itemId: Fragment) =>
  sql.fragment`(${readsNotes} and (select true from comments c where c.item_id = ${itemId} and lower(c.body) like ${patternOf(phrase)} limit 1))`;

/** True if row `t` of item_texts or, if wanted, the notes of its item contain all phrases. */
const containsAll = (phrases: readonly string[], wanted: TextWanted): Fragment =>
  everyOf(
    phrases.map((phrase) => {
      const inText = sql.fragment`t.words like ${patternOf(phrase)}`;
      return inNotes(wanted) ? someOf([inText, someNote(phrase, sql.fragment`t.item_id`)]) : inText;
    }),
  );

const containsAny = (wanted: TextWanted): Fragment => someOf(alternativesOf(wanted.search).map((phrases) => containsAll(phrases, wanted)));

const numbersIn = ({ search }: TextWanted): Fragment | null => {
  const numbers = numbersOf(alternativesOf(search));
  return numbers.length ? sql.fragment`${sql.array(numbers, 'int8')}` : null;
};

/** True if row `i` of stream `s` matches. Scalar subqueries, so that the planner can't start from them. */
export function isHit(wanted: TextWanted): Fragment {
  const numbers = numbersIn(wanted);
  const hit = sql.fragment`(select ${containsAny(wanted)} from item_texts t where t.workspace_id = i.workspace_id and t.item_id = i.id)`;
  return numbers ? sql.fragment`(i.id = any(${numbers}) or ${hit})` : hit;
}

/** True if the indexes can find all matches. */
const hasIndex = (wanted: TextWanted): boolean =>
  alternativesOf(wanted.search).every((phrases) => keysOf(phrases, inNotes(wanted)).length > 0);

/** Item ids in the workspace of `s` whose texts match, with duplicates. Materialized, so that the planner does not scan all texts in id
 *  order. */
function indexedHits(wanted: TextWanted): Fragment {
  const numbers = numbersIn(wanted);
  const ofNumbers = sql.fragment`union all select t.item_id from item_texts t where t.workspace_id = s.workspace_id and t.item_id = any(${numbers})`;
  const ofTexts = alternativesOf(wanted.search).map((phrases) =>
    inNotes(wanted) ? hitsInAll(phrases, wanted) : hitsInText(phrases, wanted),
  );
  return sql.fragment`
    with hits as materialized (
      ${sql.join(ofTexts, sql.fragment` union all `)} ${numbers ? ofNumbers : nothing}
    ) select item_id from hits`;
}

/** The index intersects two phrases. */
function hitsInText(phrases: readonly string[], wanted: TextWanted): Fragment {
  const keys = keysOf(phrases, false).slice(0, 2);
  return sql.fragment`
    select t.item_id from item_texts t
    where t.workspace_id = s.workspace_id and ${everyOf(keys.map(inKeys))} and ${containsAll(phrases, wanted)}`;
}

/** Candidates have one phrase in text or notes; the other phrases may be in either. */
function hitsInAll(phrases: readonly string[], wanted: TextWanted): Fragment {
  const key = elementAt(keysOf(phrases, true), 0);
  const others = phrases.filter((phrase) => phrase !== key);
  const hasOthers = others.length
    ? sql.fragment`and (select ${containsAll(others, wanted)} from item_texts t where t.workspace_id = h.workspace_id and t.item_id = h.item_id)`
    : nothing;
  return sql.fragment`
    select h.item_id from (
      select t.workspace_id, t.item_id from item_texts t
      where t.workspace_id = s.workspace_id and ${inKeys(key)} and t.words like ${patternOf(key)}
      union all
      select c.workspace_id, c.item_id from comments c
      where ${readsNotes} and c.workspace_id = s.workspace_id
        and search_key(lower(c.body)) like (select search_key(${patternOf(key)})) and lower(c.body) like ${patternOf(key)}
    ) h where true ${hasOthers}`;
}

const inKeys = (phrase: string) => sql.fragment`phrase_key(t.words) like (select phrase_key(${patternOf(phrase)}))`;

/** Ids of items whose texts match, each once. Without a usable index, scans all texts. */
export function textHits(wanted: TextWanted): Fragment {
  const mayRepeat = inNotes(wanted) || alternativesOf(wanted.search).length > 1 || numbersIn(wanted) !== null;
  // `distinct` reads all hits, even for a reader who needs a few.
  if (hasIndex(wanted))
    return sql.fragment`select ${mayRepeat ? sql.fragment`distinct` : nothing} item_id as id from (${indexedHits(wanted)}) h`;
  const numbers = numbersIn(wanted);
  return sql.fragment`select t.item_id as id from item_texts t
    where t.workspace_id = s.workspace_id and (${containsAny(wanted)} ${numbers ? sql.fragment`or t.item_id = any(${numbers})` : nothing})
    order by t.workspace_id, t.item_id`;
}
