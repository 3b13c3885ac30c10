-- A text's search_key with its blanks as a letter, so that the trigrams of 'task 7' span its words and don't match all tasks with a word
-- that begins with 7. Plain SQL for ASCII texts, as most are: the planner inlines it, for a fraction of a call's cost.
create function phrase_key(words text) returns text language sql immutable parallel safe
  return case when octet_length(words) = length(words) then translate(words, E'# \n\r\t', 'qzzzz')
    else translate(search_key(words), E' \n\r\t', 'zzzz') end;
