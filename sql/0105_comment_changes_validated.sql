-- Validates the constraints of 0094 for older rows.
alter table changes validate constraint changes_kind_check;
alter table change_texts validate constraint change_texts_name_check;
