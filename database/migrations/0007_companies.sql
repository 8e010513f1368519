-- Companies, and what contacts get beside them: tags, and the company's record next to its name in words.

-- Tags in one order and spelling for searches: 'Fair 2026' -> 'fair 2026'.
create function app.fold_all(text[]) returns text[] language sql immutable strict parallel safe
  return array(select app.fold(tag) from unnest($1) tag);

-- Tags with some taken off and others put on; the same word in other letters is the same tag.
create function app.retag(tags text[], added text[], removed text[]) returns text[] language sql immutable strict parallel safe
  return array(
    select tag from (
      select tag, place from unnest(tags) with ordinality kept (tag, place) where app.fold(tag) <> all (app.fold_all(removed))
      union all
      select tag, cardinality(tags) + place from unnest(added) with ordinality fresh (tag, place)
      where app.fold(tag) <> all (app.fold_all(tags))
    ) together order by place);

-- The same word in other letters only once: the first spelling stays.
create function app.once_each(tags text[]) returns text[] language sql immutable strict parallel safe
  return array(
    select tag from (
      select distinct on (app.fold(tag)) tag, place from unnest(tags) with ordinality given (tag, place) order by app.fold(tag), place
    ) firsts order by place);
create function app.keep_tags_once() returns trigger language plpgsql as $$
begin
  new.tags := app.once_each(new.tags);
  return new;
end $$;
grant execute on function app.fold_all(text[]), app.retag(text[], text[], text[]), app.once_each(text[]) to foyer_app;

create table companies (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  name text not null default '',
  industry text not null default '',
  website text not null default '',
  phone text not null default '',
  email text not null default '',
  employees_count int,
  tags text[] not null default '{}',
  tag_keys text[] generated always as (app.fold_all(tags)) stored,
  search text generated always as (app.fold(name || E'\n' || industry || E'\n' || website || E'\n' || email
    || E'\n' || phone || E'\n' || app.digits(phone))) stored,
  primary key (user_id, id)
) with (fillfactor = 85); -- room on the page: an edit that no index sees then leaves the indexes alone, and takes half the time

create index companies_newest on companies (user_id, id desc) include (search);
create index companies_search on companies using gin (user_id, search gin_trgm_ops);
create index companies_name on companies (user_id, name collate "und-x-icu", id);
create index companies_industry on companies (user_id, industry collate "und-x-icu", id);
create index companies_employees_count on companies (user_id, employees_count, id);
create index companies_tags on companies using gin (user_id, tag_keys);

alter table companies enable row level security;
create policy own on companies using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on companies to foyer_app;
create trigger touch before update on companies for each row execute function app.touch();
create trigger tags before insert or update of tags on companies for each row when (cardinality(new.tags) > 1) execute function app.keep_tags_once();
select app.attach_journal('companies');

create view companies_find as select * from companies where user_id = app.owner();
grant select on companies_find to foyer_app;

alter table crm_contacts
  add column company_id uuid,
  add column tags text[] not null default '{}',
  add column tag_keys text[] generated always as (app.fold_all(tags)) stored,
  add constraint crm_contacts_company foreign key (user_id, company_id) references companies (user_id, id)
    on delete set null (company_id) deferrable;
create index crm_contacts_company_record on crm_contacts (user_id, company_id) where company_id is not null;
create index crm_contacts_tags on crm_contacts using gin (user_id, tag_keys);

create trigger tags before insert or update of tags on crm_contacts for each row when (cardinality(new.tags) > 1) execute function app.keep_tags_once();

alter table crm_contacts set (fillfactor = 85);

-- contacts that were deleted before come back without tags
insert into app.journal_drift (table_name, column_name, fill) values ('crm_contacts', 'tags', '[]');
select app.attach_journal('crm_contacts');

drop view crm_contacts_find;
create view crm_contacts_find as select * from crm_contacts where user_id = app.owner();
grant select on crm_contacts_find to foyer_app;
