import type { PageResources, StopWaitingContent } from '#contract/pages.ts'
import { Document } from '../Document.tsx'
import { BookingCard, Notice } from './BookingCard.tsx'

type Open = Extract<StopWaitingContent, { kind: 'open' }>
type Stopped = Extract<StopWaitingContent, { kind: 'stopped' }>

/** The page where a visitor stops waiting: for the days of one wait, or, with a link from a mail, for all days. */
export function StopWaitingPage({ content, resources }: { content: StopWaitingContent; resources: PageResources }) {
  return (
    <Document title={titleOf(content)} resources={resources} head={<meta name="robots" content="noindex" />}>
      {content.kind === 'unknown' ? (
        <Notice
          heading={titleOf(content)}
          text="Open the whole link from the email, or from the page on which you joined the waiting list."
        />
      ) : (
        <BookingCard
          title={content.title}
          ownerName={content.owner_name}
          color={content.color}
          facts={content.kind === 'open' ? content.days.map((text) => ({ icon: 'calendar', text })) : []}
          footer="Foyer"
        >
          {content.kind === 'open' ? <StopForm content={content} /> : <Outcome content={content} />}
        </BookingCard>
      )}
    </Document>
  )
}

function titleOf(content: StopWaitingContent): string {
  if (content.kind === 'unknown') return 'This link is not valid'
  return content.kind === 'open' ? 'Stop waiting' : describeOutcome(content).heading
}

const StopForm = ({ content: { stops_all, path, when, link_id, problem, owner_name } }: { content: Open }) => (
  <form className="fields" method="post" action={path}>
    <input type="hidden" name="link_id" value={link_id} />
    <h2>Stop waiting for a free time?</h2>
    <p className="problem" role="alert">
      {problem}
    </p>
    <p>
      {stops_all
        ? `You will get no more emails about free times${ofOwner(owner_name)} ${when}, or on any other day, ${unlessEntered}`
        : `You will get no more emails about free times ${when}.`}
    </p>
    <div>
      <button type="submit" className="button button-primary button-large">
        {stops_all ? 'Stop these emails' : 'Stop waiting'}
      </button>
    </div>
  </form>
)

function Outcome({ content }: { content: Stopped }) {
  const { heading, text } = describeOutcome(content)
  return (
    <output className="outcome">
      <h2>{heading}</h2>
      <p>{text}</p>
      {content.book_url !== '' && (
        <a className="button button-default button-large" href={content.book_url}>
          Book a time
        </a>
      )}
    </output>
  )
}

function describeOutcome({ stops_all, is_done, owner_name }: Stopped): { heading: string; text: string } {
  const times = `free times${ofOwner(owner_name)}`
  if (is_done)
    return stops_all
      ? { heading: 'These emails are stopped', text: `You will get no more emails about ${times}, ${unlessEntered}` }
      : { heading: 'You have stopped waiting', text: 'You will get no more emails about the days for which you waited.' }
  const text = stops_all
    ? `Your email is not on the waiting list for ${times}, so you get no emails about them.`
    : 'You have stopped waiting before, the email was sent, or the days are over. You will get no more emails about them.'
  return { heading: 'You are not waiting', text }
}

const ofOwner = (name: string): string => name && ` of ${name}`

const unlessEntered = 'unless your email is entered again.'
