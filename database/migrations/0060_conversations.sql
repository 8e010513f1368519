-- Conversations with the assistant: their messages, the files in answers, and the changes that answers propose.
create table conversations (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  title text not null default '',
  -- the changes that need no confirmation, such as 'update deal'
  allowed_changes text[] not null default '{}',
  search text generated always as (app.fold(title) || E'\n' || app.respelled(title)) stored,
  primary key (user_id, id)
);
select app.set_up_record_table('conversations');

-- There is no link to the conversation, because undo restores a deleted conversation with its messages, which the journal does not have.
create table messages (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  conversation_id uuid not null,
  -- the position in the conversation, from 1
  number int not null,
  role text not null check (role in ('user', 'assistant')),
  content text not null default '',
  state text not null default 'done' check (state in ('streaming', 'done', 'stopped', 'interrupted', 'cut', 'too_many_steps', 'failed')),
  -- why an answer is not complete
  problem text not null default '',
  steps jsonb not null default '[]',
  -- the records that the user attached
  refs jsonb not null default '[]',
  -- what the user saw when the message was sent, and the time zone
  circumstances jsonb not null default '{}',
  proposal_id uuid,
  -- the messages to the model with its calls of tools
  model_messages jsonb not null default '[]',
  input_tokens int,
  output_tokens int,
  -- in US dollars
  cost double precision,
  -- set each second while the answer is being written
  heartbeat_at timestamptz not null default now(),
  stop_requested boolean not null default false,
  -- an edit or a retry has replaced it, and it is not shown any more
  is_replaced boolean not null default false,
  -- empty while the answer is being written, because each change of the text would also change the index
  search text not null generated always as (case when state = 'streaming' then '' else app.fold(content) end) stored,
  primary key (user_id, id),
  constraint messages_number unique (user_id, conversation_id, number)
);
create index messages_shown on messages (user_id, conversation_id, number desc) where not is_replaced;
create index messages_streaming on messages (user_id, id) where state = 'streaming';
create index messages_search on messages using gin (user_id, search gin_trgm_ops);
select app.set_up_owned_table('messages');
-- through the view searches can use the index
create view own_messages as select * from messages where user_id = app.owner();
grant select on own_messages to foyer_app;

create table message_files (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  message_id uuid not null,
  file_name text not null,
  mime_type text not null,
  file_size int not null,
  bytes bytea not null,
  primary key (user_id, id),
  constraint message_files_message foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
);
create index message_files_message on message_files (user_id, message_id, id);
alter table message_files alter column bytes set storage external;
select app.set_up_owned_table('message_files');

-- The items are a list of the changes, as the contract describes them.
create table proposals (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  conversation_id uuid not null,
  message_id uuid not null,
  state text not null default 'open' check (state in ('open', 'applied', 'discarded')),
  items jsonb not null default '[]',
  -- the change in the history that an applied proposal has made
  change_id uuid,
  decided_at timestamptz,
  primary key (user_id, id),
  constraint proposals_message foreign key (user_id, message_id) references messages (user_id, id) on delete cascade
);
create index proposals_message on proposals (user_id, message_id);
create index proposals_conversation on proposals (user_id, conversation_id, id);
select app.set_up_owned_table('proposals');

-- Announces the owners of new or changed messages as live updates, but not the text of an answer that is being written.
create function app.publish_messages() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (
    select from new_rows n join old_rows o on o.user_id = n.user_id and o.id = n.id
    where (n.state, n.is_replaced, n.proposal_id) is distinct from (o.state, o.is_replaced, o.proposal_id)
  ) then return null; end if;
  insert into unjournaled_writes (user_id, table_name) select distinct user_id, tg_table_name from new_rows;
  return null;
end $$;
grant execute on function app.publish_messages() to foyer_app;
create trigger publish_writes after insert on messages referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_messages after update on messages referencing old table as old_rows new table as new_rows
  for each statement execute function app.publish_messages();
create trigger publish_writes after insert on proposals referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_changes after update on proposals referencing new table as new_rows
  for each statement execute function app.publish_writes();

-- Counts the bytes of rows without a journal, as app.write_journal does for journaled rows. Only new rows are limited, so that the end of an
-- answer is always stored.
create function app.count_rows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  added bigint := 0;
  removed bigint := 0;
  written bigint;
begin
  if app.owner() is null then return null; end if;
  if tg_op <> 'DELETE' then select coalesce(sum(pg_column_size(r.*)), 0) into added from new_rows r where r.user_id = app.owner(); end if;
  if tg_op <> 'INSERT' then select coalesce(sum(pg_column_size(r.*)), 0) into removed from old_rows r where r.user_id = app.owner(); end if;
  written := app.count_written(added - removed, tg_op = 'INSERT');
  return null;
end $$;
create trigger count_insert after insert on messages referencing new table as new_rows for each statement execute function app.count_rows();
create trigger count_update after update on messages referencing old table as old_rows new table as new_rows
  for each statement execute function app.count_rows();
create trigger count_delete after delete on messages referencing old table as old_rows for each statement execute function app.count_rows();
create trigger count_insert after insert on message_files referencing new table as new_rows for each statement execute function app.count_rows();
create trigger count_delete after delete on message_files referencing old table as old_rows for each statement execute function app.count_rows();

-- As in 0054, and measures the rows without a journal that are counted.
create or replace function app.measure_records(only_owner uuid) returns table (owner uuid, bytes bigint) language plpgsql stable as $$
declare
  measured record;
begin
  for measured in
    select t.name, string_agg(format('coalesce(pg_column_size(r.%I), 0)', a.attname), ' + ' order by a.attnum) as row_bytes
    from (
      select j.oid, j.name from app.journaled_tables j
      union select g.tgrelid, g.tgrelid::regclass::name from pg_trigger g where g.tgfoid = 'app.count_rows'::regproc
    ) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped group by t.name
  loop
    return query execute format('select r.user_id, sum(%s)::bigint from public.%I r %s group by r.user_id', measured.row_bytes, measured.name,
      case when only_owner is not null then 'where r.user_id = $1' end) using only_owner;
  end loop;
  if only_owner is null then
    return query select j.user_id, sum(coalesce(pg_column_size(j.before), 0) + coalesce(pg_column_size(j.after), 0) + app.line_bytes())::bigint
      from public.journal j group by j.user_id;
  else
    return query select j.user_id, sum(coalesce(pg_column_size(j.before), 0) + coalesce(pg_column_size(j.after), 0) + app.line_bytes())::bigint
      from public.changesets c join public.journal j on j.change = c.id where c.user_id = only_owner group by j.user_id;
  end if;
end $$;
