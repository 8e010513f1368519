import type { BookingChangeContent, PageProblem, PageResources } from '#contract/pages.ts'
import type { ChangeState } from '#contract/publicBookings.ts'
import { Document } from '../Document.tsx'
import { BookingCard, Notice } from './BookingCard.tsx'
import { ChangeLinks } from './ChangeLinks.tsx'
import { contactOf, describeNoMail } from './sentences.ts'
import { TimeFields } from './TimeFields.tsx'

type Props = { content: BookingChangeContent; resources: PageResources }
type Change = Exclude<BookingChangeContent, { kind: 'unknown' }>

/** The page to cancel or to move a booking, which the links in a mail open. */
export function ChangePage({ content, resources }: Props) {
  const head = <meta name="robots" content="noindex" />
  if (content.kind === 'unknown')
    return (
      <Document title="Booking not found" resources={{ ...resources, scripts: [] }} head={head}>
        <Notice heading="Booking not found" text="This link is not valid. Open it again from the mail, or ask for a new one." />
      </Document>
    )
  const { kind, state, booking, owner_name: ownerName } = content
  return (
    <Document title={kind === 'cancel' ? 'Cancel booking' : 'Move booking'} resources={resources} head={head}>
      <BookingCard
        title={booking.title}
        ownerName={ownerName}
        color={booking.color}
        facts={[
          { icon: 'calendar', text: booking.when },
          { icon: 'globe', text: booking.timezone_label },
        ]}
      >
        {state === 'open' ? (
          kind === 'cancel' ? (
            <CancelForm content={content} />
          ) : (
            <MoveForm content={content} />
          )
        ) : (
          <Outcome content={content} />
        )}
      </BookingCard>
    </Document>
  )
}

const CancelForm = ({ content: { path, problem } }: { content: Change }) => (
  <form id="form" className="fields" method="post" action={path}>
    <h2>Cancel this booking?</h2>
    <p className="problem" role="alert">
      {problem?.message}
    </p>
    <p>The time becomes free for others.</p>
    <div>
      <button type="submit" className="button button-primary button-large">
        Cancel booking
      </button>
    </div>
  </form>
)

const noProblem: PageProblem = { message: '', fields: {}, nearest: [] }

function MoveForm({ content: { path, move, problem } }: { content: Change }) {
  if (!move) return null
  return (
    <form id="form" className="fields" method="post" action={path} data-link={move.link_id}>
      <h2>Choose another time</h2>
      <p id="problem" className="problem" role="alert">
        {problem?.message}
      </p>
      <input type="hidden" name="booked_start" value={move.booked_start} />
      <TimeFields choice={move.choice} problem={problem ?? noProblem} />
      <div>
        <button type="submit" className="button button-primary button-large">
          Move booking
        </button>
      </div>
    </form>
  )
}

function Outcome({ content }: { content: Change }) {
  const { heading, text } = describeOutcome(content)
  return (
    <output className="outcome">
      <h2>{heading}</h2>
      <p>{text}</p>
      {content.cancel_url !== '' && <ChangeLinks moveUrl={content.move_url} cancelUrl={content.cancel_url} />}
      {content.book_url !== '' && content.state !== 'late' && (
        <a className="button button-default button-large" href={content.book_url}>
          {content.state === 'done' && content.kind === 'move' ? 'Book another time' : 'Book a new time'}
        </a>
      )}
    </output>
  )
}

function describeOutcome(content: Change): { heading: string; text: string } {
  const { kind, state, cutoff, booking, owner_name: ownerName, sends_mail: sendsMail } = content
  const texts: Record<Exclude<ChangeState, 'open'>, { heading: string; text: string }> = {
    done:
      kind === 'cancel'
        ? { heading: 'Booking cancelled', text: 'The time is free again. There is nothing else to do.' }
        : {
            heading: 'Booking moved',
            text: `Your new time is ${booking.when}. ${sendsMail ? 'You get an email about it.' : describeNoMail(content.cancel_url !== '')}`,
          },
    cancelled: { heading: 'Already cancelled', text: 'This booking was cancelled before.' },
    past: { heading: 'This booking cannot be changed', text: 'It has already begun or is over.' },
    late: {
      heading: 'Too late to change',
      text: `This booking can be changed until ${cutoff} before it begins. To change it now, contact ${contactOf(ownerName)}.`,
    },
    closed: { heading: 'This booking cannot be moved', text: 'Its page takes no bookings at the moment. You can still cancel it.' },
  }
  return state === 'open' ? { heading: '', text: '' } : texts[state]
}
