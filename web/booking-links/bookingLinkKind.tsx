import { IconCopy, IconExternalLink, IconEye, IconEyeOff } from '@tabler/icons-react'
import * as z from 'zod/mini'
import { BookingLinkFields, bookingLinkFilters, bookingLinkRoutes, emptyBookingLink, type BookingLinkRow } from '#contract/bookingLinks.ts'
import { recordKinds } from '#contract/kinds.ts'
import { formatCount } from '#web/lib/format.ts'
import { numberFromText } from '#web/records/form/textSchemas.ts'
import { defineKind, type MenuLink } from '#web/records/kind/kind.ts'
import { ActiveCell, AddressCell, ColourDot } from './BookingLinkCells.tsx'
import { availabilityFromText } from './hours/availabilityText.ts'
import { formatMinutes } from './minutes.ts'
import { questionsFromText } from './questions/questionsText.ts'
import { getPublicPath } from './publicAddress.ts'

const { shape } = BookingLinkFields
const { is_active: _active, ...blank } = emptyBookingLink

const formatDuration = (value: unknown): string => formatMinutes(Number(value))

export const bookingLinkKind = defineKind({
  ...recordKinds['booking link'],
  path: '/bookings/links',
  opensOverList: true,
  relatedTables: ['bookings', 'booking_waits'],
  routes: bookingLinkRoutes,
  titleOf: ({ title }) => title,
  detailOf: ({ slug }) => getPublicPath(slug),
  blank,
  fields: {
    title: { label: 'Title', required: true },
    slug: { label: 'Address', required: true },
    duration_minutes: { label: 'Duration', required: true, format: formatDuration },
    color: { label: 'Colour', required: true },
    description: { label: 'Description', isLong: true },
    availability: { label: 'Hours', isLong: true },
    questions: { label: 'Questions', isLong: true },
    step_minutes: { label: 'Start times every', required: true, format: formatDuration },
    window_days: { label: 'Days ahead', required: true },
    notice_minutes: { label: 'Notice', required: true, format: formatDuration },
    cutoff_minutes: { label: 'Cancel or move until', required: true, format: formatDuration },
    buffer_before_minutes: { label: 'Free time before', required: true, format: formatDuration },
    buffer_after_minutes: { label: 'Free time after', required: true, format: formatDuration },
    max_per_day: { label: 'Bookings per day' },
    max_per_visitor: { label: 'Bookings per visitor' },
    is_active: { label: 'Status', required: true, format: (value) => (value === true ? 'Active' : 'Inactive') },
  },
  input: z.extend(z.omit(BookingLinkFields, { is_active: true }), {
    availability: availabilityFromText(shape.availability),
    questions: questionsFromText(shape.questions),
    duration_minutes: requiredNumber(shape.duration_minutes),
    step_minutes: requiredNumber(shape.step_minutes),
    window_days: requiredNumber(shape.window_days),
    notice_minutes: requiredNumber(shape.notice_minutes),
    cutoff_minutes: requiredNumber(shape.cutoff_minutes),
    buffer_before_minutes: requiredNumber(shape.buffer_before_minutes),
    buffer_after_minutes: requiredNumber(shape.buffer_after_minutes),
    max_per_day: numberFromText(shape.max_per_day, 'whole'),
    max_per_visitor: numberFromText(shape.max_per_visitor, 'whole'),
  }),
  filters: bookingLinkFilters,
  filterFields: ['title', 'slug', 'created_at'],
  bulkFields: [],
  sorts: [{ name: 'title' }],
  titleCell: {
    width: 260,
    picture: ({ color }) => <ColourDot color={color} />,
    secondLine: ({ duration_minutes, is_active, booking_count, waiting_count }) =>
      [
        formatMinutes(duration_minutes),
        is_active ? 'Active' : 'Inactive',
        booking_count > 0 && `${formatCount(booking_count, 'booking')} to come`,
        waiting_count > 0 && `${formatCount(waiting_count, 'visitor')} waiting`,
      ]
        .filter(Boolean)
        .join(' · '),
  },
  columns: [
    { name: 'slug', cell: (link, isInTabOrder) => <AddressCell link={link} isInTabOrder={isInTabOrder} /> },
    { name: 'duration_minutes', width: 150, align: 'right', cell: ({ duration_minutes }) => formatMinutes(duration_minutes) },
    { name: 'booking_count', label: 'To come', width: 96, hasFixedWidth: true, align: 'right' },
    {
      name: 'is_active',
      width: 116,
      hasFixedWidth: true,
      cell: (link, isInTabOrder) => <ActiveCell link={link} isInTabOrder={isInTabOrder} />,
    },
    { name: 'created_at', width: 120, minWindowWidth: 1200 },
  ],
  menuLinks: createMenuLinks,
  searchedFields: 'title or address',
  emptyList: {
    title: 'Let visitors book a time with you',
    text: 'A booking link is a page with your free times. Send its address to customers; what they book is in your calendar and with their contact.',
  },
  isFaded: ({ is_active }) => !is_active,
})

function createMenuLinks({ slug, is_active }: BookingLinkRow): MenuLink[] {
  const toggle = is_active ? 'Deactivate' : 'Activate'
  return [
    { label: 'Copy link', icon: IconCopy, action: 'copy link' },
    { label: 'Open booking page', icon: IconExternalLink, href: getPublicPath(slug), opensNewTab: true },
    { label: `${toggle} booking link`, icon: is_active ? IconEyeOff : IconEye, action: 'toggle' },
  ]
}

/** Creates a schema that converts the text of a number field and refuses an empty text. */
function requiredNumber(schema: z.ZodMiniType<number, number>) {
  const notEmpty = z.pipe(
    z.nullable(z.number()),
    z.transform((number: number | null, context): number => {
      if (number !== null) return number
      context.issues.push({ code: 'custom', message: 'Enter a number', input: number })
      return z.NEVER
    }),
  )
  return numberFromText(z.pipe(notEmpty, schema), 'whole')
}
