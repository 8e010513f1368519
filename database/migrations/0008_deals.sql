-- Deals: what a business hopes to sell, by stage. `value` is in the currency of the owner's profile.
create table deals (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  title text not null default '',
  description text not null default '',
  value numeric(14, 2),
  stage text not null default 'lead',
  probability int,
  expected_close_date date,
  contact_id uuid,
  company_id uuid,
  tags text[] not null default '{}',
  tag_keys text[] generated always as (app.fold_all(tags)) stored,
  -- what the deal weighs in the forecast, in percent
  weight int generated always as (coalesce(probability, case stage when 'lead' then 10 when 'qualified' then 25 when 'proposal' then 50
    when 'negotiation' then 75 when 'closed-won' then 100 else 0 end)) stored,
  search text generated always as (app.fold(title)) stored,
  primary key (user_id, id),
  constraint deals_contact foreign key (user_id, contact_id) references crm_contacts (user_id, id)
    on delete set null (contact_id) deferrable,
  constraint deals_company foreign key (user_id, company_id) references companies (user_id, id)
    on delete set null (company_id) deferrable
);

create index deals_newest on deals (user_id, id desc) include (search);
create index deals_search on deals using gin (user_id, search gin_trgm_ops);
create index deals_title on deals (user_id, title collate "und-x-icu", id);
create index deals_value on deals (user_id, value, id);
create index deals_expected_close_date on deals (user_id, expected_close_date, id);
create index deals_changed on deals (user_id, updated_at, id);
-- a column of the board, and what its deals come to without a look at the rows
create index deals_stage on deals (user_id, stage, updated_at, id) include (value, weight);
create index deals_contact on deals (user_id, contact_id) where contact_id is not null;
create index deals_company on deals (user_id, company_id) where company_id is not null;
create index deals_tags on deals using gin (user_id, tag_keys);

alter table deals enable row level security;
create policy own on deals using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on deals to foyer_app;
create trigger touch before update on deals for each row execute function app.touch();
create trigger tags before insert or update of tags on deals for each row when (cardinality(new.tags) > 1) execute function app.keep_tags_once();
select app.attach_journal('deals');

create view deals_find as select * from deals where user_id = app.owner();
grant select on deals_find to foyer_app;
