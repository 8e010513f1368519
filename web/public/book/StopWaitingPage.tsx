import type { PageResources, StopWaitingContent } from '#contract/pages.ts'
import { Document } from '../Document.tsx'
import { BookingCard, Notice } from './BookingCard.tsx'

function toNotice(content: Exclude<StopWaitingContent, { kind: 'open' }>): { heading: string; text: string } {
  if (content.kind === 'unknown') return { heading: 'Link not valid', text: 'Open it again from the page or the mail.' }
  const text = content.stops_all
    ? 'You get no more emails about free times, unless your email is entered again.'
    : 'You get no email about free times of these days.'
  return { heading: 'You are not waiting', text }
}

/** The page where a visitor stops waiting: for the days of one wait, or, with a link from a mail, for all days. */
export function StopWaitingPage({ content, resources }: { content: StopWaitingContent; resources: PageResources }) {
  const title = content.kind === 'open' ? 'Stop waiting' : toNotice(content).heading
  return (
    <Document
      title={title}
      resources={resources}
      head={
        <>
          <meta name="robots" content="noindex" />
          {/* the address of the page contains a token, so the browser must not send the address to other websites */}
          <meta name="referrer" content="same-origin" />
        </>
      }
    >
      {content.kind === 'open' ? (
        <BookingCard
          title={content.title}
          ownerName={content.owner_name}
          color={content.color}
          facts={content.days.map((text) => ({ icon: 'calendar', text }))}
        >
          <form className="fields" method="post" action={content.path}>
            <h2>Stop waiting for a free time?</h2>
            <p className="problem" role="alert">
              {content.problem}
            </p>
            {content.stops_all ? (
              <p>
                You get no more emails about free times{content.owner_name && ` of ${content.owner_name}`}, unless your email is entered
                again.
              </p>
            ) : (
              <p>You get no email about free times of these days.</p>
            )}
            <div>
              <button type="submit" className="button button-primary button-large">
                {content.stops_all ? 'Stop these emails' : 'Stop waiting'}
              </button>
            </div>
          </form>
        </BookingCard>
      ) : (
        <Notice {...toNotice(content)} />
      )}
    </Document>
  )
}
