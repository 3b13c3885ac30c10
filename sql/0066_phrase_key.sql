-- A text's search_key with its blanks as a letter, so that the trigrams of 'task 7' lie across its words and are not those of all tasks that
-- have a word beginning with 7. Plain SQL where the text is ASCII alone, as most are: the planner puts it in line, for a fraction of a call.
create function phrase_key(words text) returns text language sql immutable parallel safe
  return case when octet_length(words) = length(words) then translate(words, E'# \n\r\t', 'qzzzz')
    else translate(search_key(words), E' \n\r\t', 'zzzz') end;
