-- A manager who was not found is reported with the row of the contact.
alter table import_links
  -- the position of the row in the file, and its line
  add column number int not null default 0,
  add column line int not null default 0;
