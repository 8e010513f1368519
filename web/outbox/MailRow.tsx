import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { MailTopic, OutboxMail } from '#contract/outbox.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import settings from '#web/ui/settings.module.css'
import classes from './MailRow.module.css'
import type { useMailActions } from './queries.ts'
import { stateBadges } from './states.ts'

type MailRowProps = { mail: OutboxMail; actions: ReturnType<typeof useMailActions>; isMailOff: boolean }

/** A mail in the list with its state, its text and its actions. */
export function MailRow({ mail, actions: { send, giveUp }, isMailOff }: MailRowProps) {
  const { id, subject, to_address: to, state, problem, content, is_outdated: isOutdated } = mail
  const { sent_at: sentAt, created_at: createdAt, next_attempt_at: nextAt } = mail
  return (
    <li className={`${settings['row']} ${classes['row']}`}>
      <div className={settings['what']}>
        <p className={settings['name']}>
          <span title={subject} dir="auto">
            {subject}
          </span>
          <Badge {...stateBadges[state]} />
        </p>
        <p className={settings['facts']}>
          <span>to {to}</span>
          <span>
            {sentAt === null ? 'written' : 'sent'} <RelativeTime at={sentAt ?? createdAt} />
          </span>
          {problem !== '' && <span>{problem}</span>}
          {state === 'waiting' && <NextTry at={nextAt} isMailOff={isMailOff} />}
          {mail.about && <AboutLink about={mail.about} />}
        </p>
        <details className={classes['content']}>
          <summary>
            Text
            <span className={classes['screenReaderOnly']}>
              {' '}
              of {subject} to {to}
            </span>{' '}
            <span className={classes['preview']} dir="auto">
              {getPreview(mail)}
            </span>
          </summary>
          <pre dir="auto">{content}</pre>
        </details>
      </div>
      {state !== 'sent' && !isMailOff && (
        <div className={classes['actions']}>
          {!isOutdated && (
            <Button
              variant="subtle"
              onClick={() => send.mutate(id)}
              loading={send.isPending && send.variables === id}
              aria-label={`${state === 'waiting' ? 'Try now' : 'Send again'}: ${subject} to ${to}`}
            >
              {state === 'waiting' ? 'Try now' : 'Send again'}
            </Button>
          )}
          {state === 'waiting' && (
            <Button
              variant="subtle"
              color="red"
              onClick={() => giveUp.mutate(id)}
              loading={giveUp.isPending && giveUp.variables === id}
              aria-label={`Give up: ${subject} to ${to}`}
            >
              Give up
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

/** The maximum number of characters of the preview. A row shows only the first of them. */
const maxPreviewLength = 300

/** Returns the beginning of the text in one line, without the lines that the subject repeats. */
const getPreview = ({ subject, content }: OutboxMail): string =>
  content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !subject.includes(line))
    .join(' · ')
    .slice(0, maxPreviewLength)
    .toWellFormed()

/** Says when a waiting mail is sent. `at` is null if it is sent now. */
function NextTry({ at, isMailOff }: { at: string | null; isMailOff: boolean }) {
  if (isMailOff) return <span>cannot be sent without a mail server</span>
  if (at === null) return <span>is sent now</span>
  return (
    <span>
      next try <RelativeTime at={at} isPlanned />
    </span>
  )
}

const aboutLabels = {
  booking: 'Open booking',
  submission: 'Open submission',
  'booking link': 'Open booking link',
  webhook: 'Open webhook',
} as const

function AboutLink({ about }: { about: MailTopic }) {
  const address = addressOf(about)
  if (address === undefined) return null
  return (
    <Link to={address} className="link">
      {aboutLabels[about.kind]}
    </Link>
  )
}

function addressOf({ kind, id, parent_id: parentId }: MailTopic): string | undefined {
  if (kind === 'webhook') return `/api-keys/webhooks/${id}`
  return findKindDisplay(kind)?.addressOf({ id, ...(parentId !== null && { parent: { kind: 'lead form', id: parentId } }) })
}
