import { Button } from '@mantine/core'
import {
  IconAlignLeft,
  IconCalendarClock,
  IconCalendarStats,
  IconClock,
  IconClockPause,
  IconClockPlay,
  IconCode,
  IconExternalLink,
  IconCopy,
  IconHourglass,
  IconLink,
  IconListNumbers,
  IconMessageQuestion,
  IconPalette,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { copyText } from '#web/lib/copyText.ts'
import { formatNumber, formatWeekdayAndDay } from '#web/lib/format.ts'
import { EditableFacts, type EditableFact } from '#web/records/panel/EditableFacts.tsx'
import { Fact } from '#web/records/panel/RecordFacts.tsx'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { ColourDot } from './BookingLinkCells.tsx'
import classes from './bookingLinks.module.css'
import { bookingLinkInputs } from './bookingLinkInputs.tsx'
import { bookingLinkKind } from './bookingLinkKind.tsx'
import { HoursSummary } from './hours/HoursSummary.tsx'
import { formatMinutes } from './minutes.ts'
import { getEmbedCode, getPublicAddress, getPublicPath } from './publicAddress.ts'
import { toggleActive } from './toggleActive.ts'

const facts: readonly EditableFact<BookingLink>[] = [
  { fields: ['slug'], icon: IconLink, render: ({ slug }) => getPublicPath(slug) },
  { fields: ['duration_minutes'], icon: IconClock, render: (link) => formatMinutes(link.duration_minutes) },
  { fields: ['color'], icon: IconPalette, render: ({ color }) => <ColourDot color={color} /> },
  { fields: ['description'], icon: IconAlignLeft, isWide: true },
  { fields: ['step_minutes'], icon: IconClockPlay, render: (link) => formatMinutes(link.step_minutes) },
  { fields: ['window_days'], icon: IconCalendarStats, render: (link) => formatNumber(link.window_days) },
  {
    fields: ['buffer_before_minutes', 'buffer_after_minutes'],
    icon: IconClockPause,
    label: 'Free time',
    render: describeBuffers,
  },
  {
    fields: ['notice_minutes'],
    icon: IconHourglass,
    render: ({ notice_minutes }) => (notice_minutes === 0 ? 'None' : formatMinutes(notice_minutes)),
  },
  {
    fields: ['cutoff_minutes'],
    icon: IconHourglass,
    render: ({ cutoff_minutes }) => (cutoff_minutes === 0 ? 'The start' : `${formatMinutes(cutoff_minutes)} before the start`),
  },
  { fields: ['max_per_day'], icon: IconListNumbers },
  { fields: ['max_per_visitor'], icon: IconUser },
]

/** The panel of a booking link, which opens over the list. */
export const BookingLinkPanel = () => (
  <RecordPanel kind={bookingLinkKind} inputs={bookingLinkInputs} titleField="title">
    {(link) => (
      <>
        <ShareBar link={link} />
        <EditableFacts kind={bookingLinkKind} record={link} inputs={bookingLinkInputs} facts={facts}>
          <Fact icon={IconCalendarClock} label="Hours">
            <HoursSummary availability={link.availability} />
          </Fact>
          {link.waiting_count > 0 && (
            <Fact icon={IconUsers} label="Waiting">
              <ul className={classes['list']}>
                {link.waiting.map(({ id, name, email, first_day, last_day }) => (
                  <li key={id}>
                    <span dir="auto" title={email}>
                      {name}
                    </span>
                    ,{' '}
                    {first_day === last_day
                      ? formatWeekdayAndDay(first_day)
                      : `${formatWeekdayAndDay(first_day)} to ${formatWeekdayAndDay(last_day)}`}
                  </li>
                ))}
                {link.waiting_count > link.waiting.length && <li>and {formatNumber(link.waiting_count - link.waiting.length)} more</li>}
              </ul>
            </Fact>
          )}
          {link.questions && (
            <Fact icon={IconMessageQuestion} label="Questions">
              <ul className={classes['list']}>
                {link.questions.fields.map(({ id, field_label }) => (
                  <li key={id} dir="auto">
                    {field_label}
                  </li>
                ))}
              </ul>
            </Fact>
          )}
        </EditableFacts>
      </>
    )}
  </RecordPanel>
)

/** The address of the public page with buttons that copy it, open it, and activate or deactivate the booking link. */
function ShareBar({ link }: { link: BookingLink }) {
  const address = getPublicAddress(link.slug)
  return (
    <div className={classes['share']}>
      <output>{address}</output>
      <Button
        variant="default"
        leftSection={<IconCopy size={16} stroke={1.75} />}
        onClick={() => void copyText(address, 'Booking link copied')}
      >
        Copy link
      </Button>
      <Button
        variant="default"
        leftSection={<IconCode size={16} stroke={1.75} />}
        title="Copy the code that shows the booking page on your website"
        onClick={() => void copyText(getEmbedCode(link.slug), 'Code for your website copied')}
      >
        Copy code
      </Button>
      <Button
        variant="default"
        component="a"
        href={getPublicPath(link.slug)}
        target="_blank"
        rel="noreferrer"
        leftSection={<IconExternalLink size={16} stroke={1.75} />}
      >
        Open booking page
      </Button>
      <Button
        variant="default"
        leftSection={<span className={classes['state']} data-on={link.is_active || undefined} />}
        title={link.is_active ? 'Deactivate booking link' : 'Activate booking link'}
        onClick={() => void toggleActive(link)}
      >
        {link.is_active ? 'Active' : 'Inactive'}
      </Button>
    </div>
  )
}

function describeBuffers({ buffer_before_minutes: before, buffer_after_minutes: after }: BookingLink): string {
  const parts = [before > 0 && `${formatMinutes(before)} before`, after > 0 && `${formatMinutes(after)} after`]
  return parts.filter(Boolean).join(', ') || 'None before or after a booking'
}
