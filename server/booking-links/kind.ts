// The record kind of booking links. The types in server/platform/records/kind.ts explain the options.
import { BookingLink, bookingLinkColumns, bookingLinkFilters, BookingLinkRow, emptyBookingLink } from '#contract/bookingLinks.ts'
import { nameFields, type FormField } from '#contract/formFields.ts'
import { recordKinds } from '#contract/kinds.ts'
import { sql } from '#server/platform/database/database.ts'
import { createTextSort, defineKind } from '#server/platform/records/kind.ts'

/** The message for an address that another link of the installation has. */
const takenSlug = 'This address is taken. Choose another one.'

/**
 * The condition of visitors who still wait for a time. It does not read the clock, because a schedule deletes the waits whose days are
 * over.
 */
const isWaiting = 'w.user_id = c.user_id and w.booking_link_id = c.id and w.mailed_at is null'

export const bookingLinks = defineKind({
  ...recordKinds['booking link'],
  FullRecord: BookingLink,
  Row: BookingLinkRow,
  exportColumnNames: bookingLinkColumns,
  computedColumns: {
    booking_count: `(select count(*) from bookings b where b.user_id = c.user_id and b.booking_link_id = c.id
      and b.status = 'confirmed' and b.end_time > now())`,
    waiting_count: `(select count(*) from booking_waits w where ${isWaiting})`,
    waiting: `coalesce((select jsonb_agg(to_jsonb(n)) from (select w.id, w.name, w.email, w.first_day, w.last_day from booking_waits w
      where ${isWaiting} order by w.from_time, w.id limit 20) n), '[]')`,
  },
  emptyRecord: emptyBookingLink,
  titleOf: ({ title }) => String(title),
  searchResult: { sortColumn: 'title', title: 'c.title', detail: `'/book/' || c.slug` },
  sorts: { title: createTextSort('title') },
  filters: bookingLinkFilters,
  linksByConstraint: {},
  derive: async (owner, writes, id) => {
    const saved = id !== undefined && writes.some(({ questions }) => hasFields(questions)) ? await readQuestions(owner, id) : []
    return writes.map(({ questions }) => (hasFields(questions) ? { questions: { fields: nameFields(questions.fields, { saved }) } } : {}))
  },
  refuse: (_id, { slug }) => (slug === '' ? { slug: 'Enter an address of letters from a to z and digits' } : undefined),
  constraints: { booking_links_slug: { field: 'slug', message: takenSlug } },
  editLabel: activationLabel,
})

const hasFields = (questions: unknown): questions is { fields: FormField[] } =>
  typeof questions === 'object' && questions !== null && 'fields' in questions

async function readQuestions(owner: string, id: string): Promise<FormField[]> {
  const [link] = await sql<{ questions: unknown }>('select questions from booking_links where user_id = $1 and id = $2', [owner, id])
  return hasFields(link?.questions) ? link.questions.fields : []
}

/**
 * Returns SQL for the label of an edit of `is_active` in the history; undefined or SQL null for the default label. `c` is the row before
 * the edit.
 */
function activationLabel({ is_active }: Readonly<Record<string, unknown>>): string | undefined {
  if (is_active === undefined) return undefined
  return is_active
    ? `case when not c.is_active then 'Activated booking link' end`
    : `case when c.is_active then 'Deactivated booking link' end`
}
