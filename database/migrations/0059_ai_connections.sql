-- The AI connection that an owner has set, and what each owner used the AI for on each day.
create table ai_connections (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- the owner's id, because an owner has at most one connection
  id uuid not null check (id = user_id),
  created_at timestamptz not null default now(),
  base_url text not null,
  -- encrypted for the owner and the origin of base_url; empty without a key
  sealed_key text not null default '',
  model text not null,
  image_model text not null default '',
  -- what the model can do, as far as it was probed
  capabilities jsonb not null default '{}',
  -- in US dollars per million tokens
  input_price double precision,
  output_price double precision,
  primary key (user_id, id),
  constraint ai_connections_prices check ((input_price is null) = (output_price is null))
);
select app.set_up_owned_table('ai_connections');
create trigger publish_added after insert on ai_connections referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_edited after update on ai_connections referencing new table as new_rows
  for each statement execute function app.publish_writes();

create table ai_usage (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  -- in the time zone of the owner
  day date not null,
  -- whether the tokens count towards the operator's limit of a day
  is_limited boolean not null,
  answers int not null default 0,
  images int not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- in US dollars; null if no price was set
  cost double precision,
  primary key (user_id, id),
  constraint ai_usage_day unique (user_id, day, is_limited)
);
select app.set_up_owned_table('ai_usage');

-- Tokens that answers which are being written will probably use, so that many at once do not exceed the limit of a day by much.
create table ai_reservations (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  -- after this time the answer has ended without a report, as after a crash
  expires_at timestamptz not null,
  tokens int not null,
  primary key (user_id, id)
);
select app.set_up_owned_table('ai_reservations');
