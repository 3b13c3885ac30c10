/** SQL of where a search matched an item, with the text around the match (behaviour §7.47). */
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { alternativesOf, numbersOf } from './searchPhrases.ts';
import { patternOf, readsNotesIn, type TextWanted } from './textQueries.ts';

const BEFORE_MATCH = 20;
/** With an ellipsis on both sides a snippet has 80 characters. */
const SHOWN = 78;

/** One row of JSON (matched, snippets) for row `i` and the caller's `access`. */
export function matchOf({ search, searchIn }: TextWanted): Fragment {
  const alternatives = alternativesOf(search);
  const phrases = [...new Set(alternatives.flat())];
  const likeAny = sql.fragment`like any (array[${sql.join(phrases.map(patternOf), sql.fragment`, `)}])`;
  const note = sql.fragment`(select c.body from comments c where c.item_id = i.id and ${readsNotesIn('access')} and lower(c.body) ${likeAny}
    order by c.id desc limit 1)`;
  const notes = searchIn === 'all' ? sql.fragment`, (6, 'notes', ${note})` : sql.fragment``;
  const start = sql.fragment`greatest(t.at - ${BEFORE_MATCH}, 1)`;
  return sql.fragment`
    select json_agg(t.name order by t.place) as matched,
      json_object_agg(t.name, concat(
        case when ${start} > 1 then '…' end, regexp_replace(substr(t.words, ${start}, ${SHOWN}), '\\s+', ' ', 'g'),
        case when length(t.words) >= ${start} + ${SHOWN} then '…' end)) filter (where t.name in ('description', 'notes')) as snippets
    from (
      select f.place, f.name, f.words, (
        select min(nullif(position(lower(phrase) in lower(f.words)), 0)) from unnest(${sql.array(phrases, 'text')}) phrase) as at
      from (values (1, 'title', i.title), (2, 'description', i.description), (3, 'acceptance', i.acceptance), (4, 'blockedReason', i.blocked_reason)
        ${notes}) f (place, name, words)
      union all
      select 5, 'number', '', 1 where i.id = any(${sql.array(numbersOf(alternatives), 'int8')})
    ) t where t.at > 0`;
}
