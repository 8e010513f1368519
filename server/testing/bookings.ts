import type { TestApp } from './app.ts'

/** Adds booking links, and bookings of half an hour each, one after the other from the start of 2025, with different names. */
export async function addBookingRows({ tableOwner }: Pick<TestApp, 'tableOwner'>, owner: string, count: number): Promise<void> {
  await tableOwner.query(
    `insert into booking_links (user_id, title, slug)
     select $1::uuid, (array['Visit', 'Oak counter', 'Call'])[n % 3 + 1] || ' ' || md5(n::text), md5($1::uuid::text || n) from generate_series(1, $2::int) n`,
    [owner, count],
  )
  await tableOwner.query(
    `insert into bookings (user_id, title, attendee_name, attendee_email, attendee_phone, start_time, end_time)
     select $1, (array['Visit', 'Oak counter', 'Call'])[n % 3 + 1],
       (array['Mary', 'Ottoline', 'Grace'])[n % 3 + 1] || ' ' || (array['Mill', 'Hopper', 'Noether'])[n / 3 % 3 + 1] || ' ' || left(md5(n::text), 6),
       md5(n::text) || '@example.org', '+44 20 7946 0' || (100 + n % 900),
       '2025-01-01Z'::timestamptz + make_interval(mins => 30 * n), '2025-01-01Z'::timestamptz + make_interval(mins => 30 * n + 30)
     from generate_series(1, $2::int) n`,
    [owner, count],
  )
}
