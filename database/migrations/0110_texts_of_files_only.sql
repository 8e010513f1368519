-- The daily schedule also read the files of imports and of form submissions, which no search uses.
delete from object_texts t
where not exists (select from files f where f.user_id = t.user_id and f.object_id = t.id) and (
  exists (select from imports i where i.user_id = t.user_id and i.object_id = t.id)
  or exists (select from form_submission_files s where s.user_id = t.user_id and s.object_id = t.id)
);
