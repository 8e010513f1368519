-- Empty rows of a file one after the other are one row of the report, because a small Excel file can have a million of them.
alter table import_rows
  -- the number of rows of the file; more than 1 only for empty rows
  add column row_count int not null default 1;
