-- Accounts: who may sign in, their sessions, reset links and profile; and the counters of tries.
create table users (
  id uuid primary key,
  email text not null unique check (email = lower(btrim(email))),
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table sessions (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  token_hash bytea not null unique,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  user_agent text not null default '',
  primary key (user_id, id)
);
create index sessions_expiry on sessions (expires_at);

create table password_resets (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (user_id, id)
);

create table profiles (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default app.owner() check (id = user_id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  full_name text not null default '',
  timezone text not null default 'UTC',
  country text not null default '',
  currency text not null default 'USD',
  primary key (user_id, id)
);

alter table users enable row level security;
create policy own on users using (id = app.owner()) with check (id = app.owner());
grant select, insert, update on users to foyer_app;

alter table sessions enable row level security;
create policy own on sessions using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on sessions to foyer_app;

alter table password_resets enable row level security;
create policy own on password_resets using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, delete on password_resets to foyer_app;

alter table profiles enable row level security;
create policy own on profiles using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update on profiles to foyer_app;
create trigger touch before update on profiles for each row execute function app.touch();
select app.attach_journal('profiles');

-- What must be known before there is an owner: three narrow questions, each by a secret or an address that the asker brings.
create function app.user_by_email(address text) returns table (id uuid, password_hash text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, u.password_hash from users u where u.email = address $$;

create function app.session_by_token(hash bytea, at timestamptz) returns table (id uuid, user_id uuid, last_seen_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.user_id, s.last_seen_at from sessions s where s.token_hash = hash and s.expires_at > at $$;

create function app.password_reset_by_token(hash bytea, at timestamptz) returns table (user_id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select r.user_id from password_resets r where r.token_hash = hash and r.expires_at > at $$;

grant execute on function app.user_by_email(text), app.session_by_token(bytea, timestamptz),
  app.password_reset_by_token(bytea, timestamptz) to foyer_app;

-- Tries of a key (an address or an account, hashed) in its window, counted for all processes together; lost with a crash.
create unlogged table attempts (
  key bytea primary key,
  count int not null,
  resets_at timestamptz not null
);

create function app.count_attempt(attempt bytea, seconds int, at timestamptz) returns table (count int, resets_at timestamptz)
  language sql security definer set search_path = public, pg_temp as $$
  insert into attempts as a (key, count, resets_at) values (attempt, 1, at + make_interval(secs => seconds))
  on conflict (key) do update set
    count = case when a.resets_at <= at then 1 else a.count + 1 end,
    resets_at = case when a.resets_at <= at then excluded.resets_at else a.resets_at end
  returning a.count, a.resets_at $$;
grant execute on function app.count_attempt(bytea, int, timestamptz) to foyer_app;
