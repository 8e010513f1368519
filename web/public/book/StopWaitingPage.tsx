import type { PageResources, StopWaitingContent } from '#contract/pages.ts'
import { Document } from '../Document.tsx'
import { BookingCard, Notice } from './BookingCard.tsx'

const notices = {
  unknown: { heading: 'Link not valid', text: 'Open it again from the mail.' },
  stopped: { heading: 'You are not waiting', text: 'You get no more emails about free times.' },
}

/** The page to which the mails about free times lead, to stop them. */
export function StopWaitingPage({ content, resources }: { content: StopWaitingContent; resources: PageResources }) {
  const title = content.kind === 'open' ? 'Stop waiting' : notices[content.kind].heading
  return (
    <Document
      title={title}
      resources={resources}
      head={
        <>
          <meta name="robots" content="noindex" />
          {/* the address of the page has a token, so it is not sent to other pages */}
          <meta name="referrer" content="same-origin" />
        </>
      }
    >
      {content.kind === 'open' ? (
        <BookingCard
          title={content.title}
          ownerName={content.owner_name}
          color={content.color}
          facts={[{ icon: 'calendar', text: content.days }]}
        >
          <form className="fields" method="post" action={content.path}>
            <h2>Stop waiting for a free time?</h2>
            <p>You get no more emails about free times{content.owner_name && ` of ${content.owner_name}`}, of these days and of others.</p>
            <div>
              <button type="submit" className="button button-primary button-large">
                Stop these emails
              </button>
            </div>
          </form>
        </BookingCard>
      ) : (
        <Notice {...notices[content.kind]} />
      )}
    </Document>
  )
}
