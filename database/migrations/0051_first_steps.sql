-- Stores whether the user has hidden the first steps, and whether the user has set the time zone, country or currency guessed at sign-up.
alter table profiles add column first_steps_hidden boolean not null default false, add column region_confirmed boolean not null default false;
insert into app.column_changes (table_name, column_name, default_value)
  values ('profiles', 'first_steps_hidden', 'false'), ('profiles', 'region_confirmed', 'false');
update profiles set region_confirmed = true where version > 1;
