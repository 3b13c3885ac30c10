-- Moves the bytes of attachments. Locks only their rows; older code still reads them in note_attachments.
update note_attachments set blob_id = blob_of(account_id, content), size = octet_length(content) where blob_id is null;
