-- Where a form that counts once has led: whoever sends it again is led there, too. Null while that is not known yet, empty when the
-- answer was a page of its own, such as a key that is shown once.

alter table sent_forms add column way text;
