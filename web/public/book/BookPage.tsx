import type { BookContent, BookedContent, PageProblem, PageResources } from '#contract/pages.ts'
import { fieldPrefix, trapFieldName } from '#contract/visitorForms.ts'
import { Document } from '../Document.tsx'
import { FormFieldInput } from '../form/FormFieldInput.tsx'
import { BookingCard, Notice } from './BookingCard.tsx'
import { ChangeLinks } from './ChangeLinks.tsx'
import { contactOf, describeNoMail } from './sentences.ts'
import { TextField } from './TextField.tsx'
import { WaitFields } from './WaitFields.tsx'
import { TimeFields } from './TimeFields.tsx'

type LinkContent = Extract<BookContent, { kind: 'link' }>
type Props = { content: BookContent; resources: PageResources }

/** The public page of a booking link. It works without scripts; `book.ts` shows times and sends the form without leaving the page. */
export function BookPage({ content, resources }: Props) {
  if (content.kind === 'missing')
    return (
      <Document title="Booking Link Not Found" resources={{ ...resources, scripts: [] }} head={<meta name="robots" content="noindex" />}>
        <Notice heading="Booking Link Not Found" text="This booking link is not available or has been deactivated." />
      </Document>
    )
  if (content.kind === 'booked') return <BookedPage content={content} resources={resources} />
  const { link, owner_name: ownerName, choice } = content
  return (
    <Document title={ownerName ? `${link.title} · ${ownerName}` : link.title} resources={resources} head={<BookHead content={content} />}>
      <BookingCard
        title={link.title}
        ownerName={ownerName}
        color={link.color}
        description={link.description}
        facts={[
          { icon: 'clock', text: formatMinutes(link.duration_minutes) },
          { icon: 'globe', text: choice.timezone_label, isZone: true },
        ]}
      >
        {content.booked && <Booked content={content} booked={content.booked} />}
        {content.waiting && <Waiting waiting={content.waiting} />}
        <BookForm content={content} resources={resources} />
      </BookingCard>
    </Document>
  )
}

/** The confirmation of a booking, without the form, because the link takes no bookings any more. */
function BookedPage({ content, resources }: { content: Extract<BookContent, { kind: 'booked' }>; resources: PageResources }) {
  const { title, color, owner_name: ownerName, timezone_label: zone, booked } = content
  return (
    <Document title={title} resources={resources} head={<meta name="robots" content="noindex" />}>
      <BookingCard title={title} ownerName={ownerName} color={color} facts={[{ icon: 'globe', text: zone }]}>
        <Booked content={content} booked={booked} />
        <p>This page takes no other bookings at the moment.</p>
      </BookingCard>
    </Document>
  )
}

const formatMinutes = (minutes: number): string => `${minutes} minutes`

function BookHead({ content: { url, link, owner_name: ownerName } }: { content: LinkContent }) {
  const summary = link.description.replaceAll(/\s+/g, ' ').slice(0, 200) || `Book ${formatMinutes(link.duration_minutes)} in a free time.`
  return (
    <>
      <meta name="description" content={summary} />
      <link rel="canonical" href={url} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={link.title} />
      <meta property="og:description" content={summary} />
      <meta property="og:url" content={url} />
      {ownerName !== '' && <meta property="og:site_name" content={ownerName} />}
    </>
  )
}

type BookedProps = { content: Pick<LinkContent, 'owner_name' | 'sends_mail'>; booked: BookedContent }

function Booked({ content: { owner_name: ownerName, sends_mail: sendsMail }, booked }: BookedProps) {
  const { when, email, can_change: canChange, cancel_url, move_url } = booked
  return (
    <section id="booked" className="booked" aria-labelledby="booked-title" tabIndex={-1}>
      <h2 id="booked-title">Booking confirmed</h2>
      <p>
        {when}. {sendsMail ? `A confirmation goes to ${email}.` : describeNoMail(canChange)}
      </p>
      {canChange ? (
        <ChangeLinks moveUrl={move_url} cancelUrl={cancel_url} />
      ) : (
        <p>It can no longer be moved or cancelled online. To change it, contact {contactOf(ownerName)}.</p>
      )}
    </section>
  )
}

const Waiting = ({ waiting: { days, email, stop_url } }: { waiting: NonNullable<LinkContent['waiting']> }) => (
  <section id="booked" className="booked" aria-labelledby="booked-title" tabIndex={-1}>
    <h2 id="booked-title">You are on the waiting list</h2>
    <p>
      {days}. One email goes to {email} when a time becomes free. The first who books it gets it.
    </p>
    <p>
      <a href={stop_url} target="_top">
        Stop waiting
      </a>
    </p>
  </section>
)

const noProblem: PageProblem = { message: '', fields: {}, nearest: [] }

function BookForm({ content, resources: { token, challenge } }: { content: LinkContent; resources: PageResources }) {
  const { link, path, choice, values } = content
  const problem = content.problem ?? noProblem
  const { fields } = problem
  return (
    <form id="form" className="fields" method="post" action={path} data-link={link.id} data-challenge={challenge}>
      <p id="problem" className="problem" role="alert" tabIndex={-1} data-about-fields={Object.keys(fields).length > 0 || undefined}>
        {problem.message}
      </p>
      <input type="hidden" name="link_id" value={link.id} />
      <input type="hidden" name="page_token" value={token} />
      <div className="extra" aria-hidden="true">
        <label htmlFor="subject-line">Subject line (leave this empty)</label>
        <input id="subject-line" name={trapFieldName} type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <TimeFields choice={choice} problem={problem} />
      <TextField name="name" label="Name" value={values.name} message={fields['name']} required maxLength={200} autoComplete="name" />
      <TextField
        name="email"
        type="email"
        label="Email"
        value={values.email}
        message={fields['email']}
        required
        maxLength={254}
        autoComplete="email"
      />
      <TextField name="phone" type="tel" label="Phone" value={values.phone} message={fields['phone']} maxLength={50} autoComplete="tel" />
      {/* the script replaces the questions when the owner has changed them */}
      <div className="fields questions">
        {content.questions.map((field) => (
          <FormFieldInput
            key={field.id}
            field={field}
            marked="optional"
            values={content.answers[field.field_name] ?? []}
            message={fields[fieldPrefix + field.field_name]}
          />
        ))}
      </div>
      <TextField name="notes" label="Notes" value={values.notes} message={fields['notes']} maxLength={5000} isLong />
      <div>
        <button type="submit" className="button button-primary button-large">
          Confirm Booking
        </button>
        {content.sends_mail && (
          <p className="hint">
            You get an email with a link to move or cancel{content.cutoff && ` until ${content.cutoff} before the booking begins`}.
          </p>
        )}
      </div>
      {content.sends_mail && (
        <WaitFields isShown={choice.times.length === 0 || problem.nearest.length > 0} date={choice.date} waiting={content.waiting} />
      )}
    </form>
  )
}
