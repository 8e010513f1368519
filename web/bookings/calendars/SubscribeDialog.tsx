import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import { CopyableText } from '#web/ui/CopyableText.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './calendars.module.css'
import { feedQuery, useRenewFeed, useTurnOffFeed } from './feedQueries.ts'

type SubscribeDialogProps = { onClose: () => void; opener: RefObject<HTMLElement | null> }

/** Shows the secret address at which other calendars read the bookings. The address can be copied, replaced and turned off. */
export function SubscribeDialog({ onClose, opener }: SubscribeDialogProps) {
  useReturnFocus(opener)
  const feed = useQuery(feedQuery)
  return (
    <Modal opened onClose={onClose} title="Subscribe to bookings" size={520}>
      {feed.isPending && <ListSkeleton rows={2} height={56} columns={[]} />}
      {feed.isError && !feed.data && (
        <FailedState
          title="The address could not be loaded"
          reason={describeError(feed.error)}
          onRetry={() => void feed.refetch()}
          isRetrying={feed.isFetching}
        />
      )}
      {feed.data?.address === null && <FeedOff />}
      {typeof feed.data?.address === 'string' && <FeedOn address={feed.data.address} />}
    </Modal>
  )
}

function FeedOff() {
  const turnOn = useRenewFeed('Calendar feed turned on')
  return (
    <div className={classes['part']}>
      <p>
        See your bookings in Google Calendar, Apple Calendar, Outlook or another calendar. It reads them at a secret address, and shows
        changes by itself.
      </p>
      <div className={classes['actions']}>
        <Button onClick={() => turnOn.mutate()} loading={turnOn.isPending} data-autofocus>
          Create secret address
        </Button>
      </div>
    </div>
  )
}

function FeedOn({ address }: { address: string }) {
  const [actionToConfirm, setActionToConfirm] = useState<'renew' | 'turn off'>()
  return (
    <div className={classes['part']}>
      <p>
        Add this address to your other calendar, as a calendar from a URL. Most calendars read it again within a day, some within minutes.
      </p>
      <CopyableText text={address} label="Copy address" />
      <p className={classes['hint']}>Everybody who knows the address can read your bookings, with the names and emails of visitors.</p>
      {actionToConfirm ? (
        <FeedQuestion actionToConfirm={actionToConfirm} onClose={() => setActionToConfirm(undefined)} />
      ) : (
        <div className={classes['actions']}>
          <Button variant="subtle" color="red" onClick={() => setActionToConfirm('turn off')}>
            Turn off
          </Button>
          <Button variant="default" onClick={() => setActionToConfirm('renew')}>
            New address
          </Button>
          <Button component="a" href={address.replace(/^https?:/, 'webcal:')} data-autofocus>
            Open in calendar app
          </Button>
        </div>
      )}
    </div>
  )
}

/** Asks before the address stops working, which cannot be undone. */
function FeedQuestion({ actionToConfirm, onClose }: { actionToConfirm: 'renew' | 'turn off'; onClose: () => void }) {
  const renew = useRenewFeed('New address created')
  const turnOff = useTurnOffFeed()
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  return (
    <div className={classes['question']} role="alert">
      <p>
        {actionToConfirm === 'renew'
          ? 'The address above stops working for good. Calendars that use it need the new one.'
          : 'The address above stops working for good. Calendars that use it get no more changes.'}
      </p>
      <div className={classes['actions']}>
        <Button variant="default" onClick={onClose} ref={cancel}>
          Cancel
        </Button>
        {actionToConfirm === 'renew' ? (
          <Button color="red" onClick={() => renew.mutate(undefined, { onSuccess: onClose })} loading={renew.isPending}>
            Replace address
          </Button>
        ) : (
          <Button color="red" onClick={() => turnOff.mutate()} loading={turnOff.isPending}>
            Turn off
          </Button>
        )}
      </div>
    </div>
  )
}
