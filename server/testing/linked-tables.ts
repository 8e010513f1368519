import type pg from 'pg'

/** The tables of `createLinkedTables`, which have every form of foreign key, and the product's contacts, to which `test_people` links. */
export const linkedTables = ['test_companies', 'crm_contacts', 'test_people', 'test_deals', 'test_notes', 'test_files']

const columns: Record<string, string> = {
  test_companies: `title text not null, domain text, city text, parent_id uuid, unique (user_id, domain),
    search text generated always as (lower(title || coalesce(domain, ''))) stored,
    foreign key (user_id, parent_id) references test_companies (user_id, id) on delete set null (parent_id) deferrable`,
  test_people: `first_name text, email text, city text, tags text[] not null default '{}', custom jsonb not null default '{}', rating numeric(6,2),
    birthday date, seen_at timestamptz, lasts interval, picture bytea, company_id uuid, contact_id uuid,
    search text generated always as (lower(coalesce(first_name, '') || coalesce(email, ''))) stored,
    foreign key (user_id, company_id) references test_companies (user_id, id) on delete set null (company_id) deferrable,
    foreign key (user_id, contact_id) references crm_contacts (user_id, id) on delete set null (contact_id) deferrable`,
  test_deals: `title text not null, stage text not null default 'new', amount numeric(14,2), person_id uuid, referrer_id uuid, company_id uuid,
    position int not null default 0,
    foreign key (user_id, person_id) references test_people (user_id, id) on delete set null (person_id) deferrable,
    foreign key (user_id, referrer_id) references test_people (user_id, id) on delete set null (referrer_id) deferrable,
    foreign key (user_id, company_id) references test_companies (user_id, id) on delete set null (company_id) deferrable`,
  test_notes: `person_id uuid not null, body text not null,
    foreign key (user_id, person_id) references test_people (user_id, id) on delete cascade deferrable`,
  test_files: `note_id uuid not null, bytes bigint not null, object_key text not null,
    foreign key (user_id, note_id) references test_notes (user_id, id) on delete cascade deferrable`,
}

/** Creates the tables as a migration would. */
export async function createLinkedTables(tableOwner: pg.Pool): Promise<void> {
  for (const [name, columnsSql] of Object.entries(columns)) {
    await tableOwner.query(`create table ${name} (
        user_id uuid not null default app.owner() references users on delete cascade, id uuid not null default uuidv7(),
        created_at timestamptz not null default now(), updated_at timestamptz not null default now(), version int not null default 1,
        primary key (user_id, id), ${columnsSql});
      alter table ${name} enable row level security;
      create policy own on ${name} using (user_id = app.owner()) with check (user_id = app.owner());
      grant select, insert, update, delete on ${name} to foyer_app;
      select app.attach_touch('${name}'), app.attach_journal('${name}')`)
  }
  await tableOwner.query('create unique index test_people_email on test_people (user_id, lower(email)) where email is not null')
}
