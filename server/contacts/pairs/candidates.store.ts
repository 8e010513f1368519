// Finds pairs of contacts that share a key, such as a phone or a company with a last name. They are candidates for `ratePair`.
import { sql } from '#server/platform/database/database.ts'
import { publicProviders } from './emails.ts'
import type { ComparedContact } from './rate-pair.ts'

type CandidateContact = ComparedContact & { id: string }

/** `name_count`: the number of contacts with this name, if there are few of them; otherwise null. */
export type Candidate = { one: CandidateContact; other: CandidateContact; name_count: number | null }

/** The maximum number of pairs with a common key that PostgreSQL filters in one scan. */
const maxFiltered = 150_000
/** The maximum number of pairs that are compared after this filter. */
const maxCandidates = 10_000

/**
 * In a group of contacts with the same key, such as the colleagues with one office phone, each contact is paired with all others only if
 * the group is small. In a large group it is paired with the next one in the order of names, so that the work grows with the number of
 * contacts and not with its square.
 */
const maxSmallGroup = 8

const fields = ['id', 'first_name', 'last_name', 'email_key', 'phone_key', 'mobile_phone_key', 'company', 'mailing_street', 'mailing_city']
const toJson = (table: string): string => `jsonb_build_object(${fields.map((field) => `'${field}', ${table}.${field}`).join(', ')})`

/** The first line of `search` is the name and the third the company, without case and accents. `$2` are the names of public providers. */
const contactsSql = `
  select ${fields.join(', ')}, domain, mailbox, name, split_part(name, ' ', 1) as first_word, split_part(name, ' ', 2) as second_word,
    split_part(name, ' ', -1) as last_word, split_part(company_line, ' ', 1) as company_word,
    (select bit_xor(hashtextextended(word, 0))::text from string_to_table(name, ' ') word where word <> '') as name_key,
    case when split_part(domain, '.', 1) <> all ($2::text[]) then domain else '' end as organisation
  from (
    select ${fields.join(', ')}, btrim(translate(split_part(search, E'\\n', 1), ',.-''’', '   ')) as name,
      split_part(search, E'\\n', 3) as company_line, replace(split_part(split_part(email_key, '@', 1), '+', 1), '.', '') as mailbox,
      case split_part(email_key, '@', -1) when 'googlemail.com' then 'gmail.com' else split_part(email_key, '@', -1) end as domain
    from crm_contacts where user_id = $1 offset 0
  ) c`

/**
 * The keys of a contact. They are stored as numbers, which need less memory than texts. A key with a lower rank tells more: 1 for the
 * mailbox, 2 for the phone, 3 for the words of the name in any order, 4 for the name with the first part of the email, and for a part of
 * the name with the company, the domain or the street.
 */
const keys: readonly { rank: number; value: string; condition: string }[] = [
  { rank: 1, value: `mailbox || '@' || domain`, condition: `mailbox <> ''` },
  { rank: 2, value: 'phone_key', condition: `phone_key <> ''` },
  { rank: 2, value: 'mobile_phone_key', condition: `mobile_phone_key <> '' and mobile_phone_key <> phone_key` },
  { rank: 3, value: 'name_key', condition: 'name_key is not null' },
  { rank: 4, value: `'mailbox ' || name_key || mailbox`, condition: `mailbox <> '' and name_key is not null` },
  ...['company_word', 'organisation'].flatMap((company) => [
    {
      rank: 4,
      value: `'first ' || ${company} || ' ' || first_word || left(second_word, 1)`,
      condition: `${company} <> '' and first_word <> ''`,
    },
    {
      rank: 4,
      value: `'last ' || ${company} || ' ' || last_word || left(first_word, 1)`,
      condition: `${company} <> '' and first_word <> ''`,
    },
  ]),
  {
    rank: 4,
    value: `'street ' || translate(lower(mailing_street), ' .,-''’0123456789', '') || left(first_word, 1)`,
    condition: `mailing_street <> '' and first_word <> ''`,
  },
]
const keysSql = keys
  .map(
    ({ rank, value, condition }) =>
      `select id, ${rank} as rank, hashtextextended(${value}, ${rank}) as key from contact where ${condition}`,
  )
  .join(' union all ')

/** A large group of contacts with one name is left out: the name alone says too little, and what else they share is in the other keys. */
const candidatesSql = `
  with contact as materialized (${contactsSql}),
  keyed as materialized (${keysSql}),
  repeated as materialized (
    select key, rank, count(*)::int as size from keyed group by 1, 2
    having count(*) > 1 and (rank <> 3 or count(*) <= ${maxSmallGroup})
  ),
  groups as (
    select rank, size, array_agg(id order by name, id) as ids
    from keyed join repeated using (key, rank) join contact using (id) group by key, 1, 2
  ),
  pairs as (
    select least(ids[i], ids[j]) as one_id, greatest(ids[i], ids[j]) as other_id, rank, size
    from (select * from groups order by rank, size) g, generate_series(1, size) i,
      generate_series(i + 1, least(size, i + case when size <= ${maxSmallGroup} then size else 1 end)) j
    limit ${maxFiltered}
  ),
  dismissed as materialized (
    select least(contact_id, other_id) as one_id, greatest(contact_id, other_id) as other_id from distinct_contacts where user_id = $1
  ),
  candidates as (
    select one_id, other_id, min(rank) as rank, count(*) as shared, min(size) filter (where rank = 3) as name_count from pairs group by 1, 2
  ),
  chosen as (
    select p.* from candidates p join contact a on a.id = p.one_id join contact b on b.id = p.other_id
    where (p.rank <> 2 or p.shared > 1 or similarity(a.name, b.name) > 0.3)
      and (p.rank <> 3 or p.shared > 1 or a.email_key = '' or b.email_key = '')
      and not exists (select from dismissed d where d.one_id = p.one_id and d.other_id = p.other_id)
    order by p.rank, p.shared desc, p.one_id desc, p.other_id limit ${maxCandidates}
  )
  select ${toJson('a')} as one, ${toJson('b')} as other, name_count
  from chosen join contact a on a.id = one_id join contact b on b.id = other_id`

/**
 * Returns the pairs of contacts that may be the same person, at most `maxCandidates`, sorted by their best keys, without the pairs that
 * the user dismissed. Pairs that have only a phone in common and no part of their names, or only their name and two different emails, are
 * left out.
 */
export async function readCandidates(owner: string): Promise<Candidate[]> {
  // both statements are sent in one batch, which is a transaction
  const [, candidates] = await Promise.all([
    // PostgreSQL does not know how many contacts have the same key, and would compare every pair with every contact
    sql(`select set_config('enable_nestloop', 'off', true)`),
    sql<Candidate>(candidatesSql, [owner, publicProviders], { customPlan: true }),
  ])
  return candidates
}
