-- The tokens of public pages that a visitor has used, so that each is used once in all processes. They are kept until they expire.
create table used_page_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_page_tokens_expiry on used_page_tokens (expires_at);

-- Returns true for the first use. Waits for a transaction that is using the same token.
create function app.use_page_token(token_hash bytea, expires_at timestamptz) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with used as (insert into used_page_tokens values ($1, $2) on conflict do nothing returning true)
  select exists (select from used) $$;
grant execute on function app.use_page_token to foyer_app;
