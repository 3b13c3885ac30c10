-- Encrypted notes as their owner's browser stores them (behaviour §11.13): the server has only the ciphertext.

alter table personal_notes
  -- JSON with salt, iv and ciphertext (src/personal-notes/attachments.ts); null: not encrypted, or encrypted elsewhere and imported as html
  add column cipher text check (octet_length(cipher) <= 262144),
  add constraint personal_notes_cipher check (cipher is null or (protection = 'encrypted' and html = '' and title = '' and text = ''));

-- A person's notes on their own page, protected ones included: newest change first.
create index personal_notes_recent on personal_notes (user_id, updated_at desc, id desc);
