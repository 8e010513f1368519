-- The fingerprint of the installation's key, so that a start with another key is refused. At most one row.
create table app.installation (
  is_only_row boolean primary key default true check (is_only_row),
  key_fingerprint text not null
);
