-- The texts that svc_find_work searches (behaviour §7.23): title, description, acceptance and blocked reason, with an index that works in
-- any locale.

-- A text in ASCII only, for the trigram index: pg_trgm knows letters by the database's LC_CTYPE, and under C ignores all others. Each byte
-- of a UTF-8 letter becomes a letter or digit, except the first byte of two, which is left out. '#' is left out, too, so that '#24' is
-- found. The key of any part of a text is a part of the text's key, but not vice versa, so the text itself is compared as well.
create function search_key(words text) returns text language plpgsql immutable parallel safe strict as $$
begin
  if octet_length(words) = length(words) then
    return translate(words, '#', 'q');
  end if;
  return translate(convert_from(convert_to(words, 'UTF8'), 'LATIN1'),
    E'\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0\u00a1\u00a2\u00a3\u00a4\u00a5\u00a6\u00a7\u00a8\u00a9\u00aa\u00ab\u00ac\u00ad\u00ae\u00af\u00b0\u00b1\u00b2\u00b3\u00b4\u00b5\u00b6\u00b7\u00b8\u00b9\u00ba\u00bb\u00bc\u00bd\u00be\u00bf\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e6\u00e7\u00e8\u00e9\u00ea\u00eb\u00ec\u00ed\u00ee\u00ef\u00f0\u00f1\u00f2\u00f3\u00f4#\u00c2\u00c3\u00c4\u00c5\u00c6\u00c7\u00c8\u00c9\u00ca\u00cb\u00cc\u00cd\u00ce\u00cf\u00d0\u00d1\u00d2\u00d3\u00d4\u00d5\u00d6\u00d7\u00d8\u00d9\u00da\u00db\u00dc\u00dd\u00de\u00df',
    '0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr789abcdefghijklmnopqrq');
end $$;

create function search_words(item items) returns text stable language sql as $$
  select lower(item.title || E'\n' || item.description || coalesce(E'\n' || item.acceptance, '') || coalesce(E'\n' || item.blocked_reason, ''))
$$;

create or replace function add_item_texts() returns trigger language plpgsql as $$
begin
  insert into item_texts (account_id, workspace_id, item_id, words)
  select made.account_id, made.workspace_id, made.id,
    lower(made.title || E'\n' || made.description || coalesce(E'\n' || made.acceptance, '') || coalesce(E'\n' || made.blocked_reason, ''))
  from made;
  return null;
end $$;

create or replace function change_item_text() returns trigger language plpgsql as $$
begin
  update item_texts set words = search_words(new) where workspace_id = new.workspace_id and item_id = new.id;
  return null;
end $$;

drop trigger change_item_text on items;
create trigger change_item_text after update of title, description, acceptance, blocked_reason on items for each row
  when ((old.title, old.description, old.acceptance, old.blocked_reason)
        is distinct from (new.title, new.description, new.acceptance, new.blocked_reason))
  execute function change_item_text();
