-- Counts the bytes of proposals towards the space of their owner, as those of messages, because the model decides how long they are.
create trigger count_insert after insert on proposals referencing new table as new_rows for each statement execute function app.count_rows();
create trigger count_update after update on proposals referencing old table as old_rows new table as new_rows
  for each statement execute function app.count_rows();
create trigger count_delete after delete on proposals referencing old table as old_rows for each statement execute function app.count_rows();
