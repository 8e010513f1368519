-- An undo skips the folder and the contact of a file together if one of them was edited since, because a file cannot have both.
comment on column files.contact_id is 'undone together with folder_id';
