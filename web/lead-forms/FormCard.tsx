import { Button } from '@mantine/core'
import { IconExternalLink, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { LeadFormRow } from '#contract/leadForms.ts'
import { formatCount, formatNumber } from '#web/lib/format.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import rowButton from '#web/ui/RowButton.module.css'
import { ToggleSwitch } from '#web/ui/ToggleSwitch.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { getPublicAddress, useDeleteForm, useUpdateForm } from './queries.ts'
import classes from './LeadFormsPage.module.css'

/** A form in the list, with its switch, its public address and its numbers of submissions. */
export function FormCard({ form }: { form: LeadFormRow }) {
  const { id, title, description, slug, submission_count: count, spam_count: spam, last_submission_at: lastAt } = form
  const address = getPublicAddress(form)
  const remove = useDeleteForm()
  return (
    <li className={classes['card']} aria-label={title}>
      <div className={classes['top']}>
        <div className={classes['what']}>
          <h2 className={classes['title']} dir="auto" title={title}>
            {title}
          </h2>
          {description !== '' && (
            <p className={classes['description']} dir="auto">
              {description}
            </p>
          )}
        </div>
        <ActiveSwitch form={form} />
      </div>
      <div className={classes['address']}>
        <a href={address} target="_blank" rel="noreferrer" title={address}>
          /form/{slug}
        </a>
        <CopyButton text={address} label="Copy link" size={28} />
      </div>
      <ClosedNote form={form} />
      <p className={classes['facts']}>
        <Link to="/lead-forms/$id/submissions" params={{ id }}>
          {formatCount(count, 'submission')}
        </Link>
        {spam > 0 && (
          <Link to="/lead-forms/$id/submissions" params={{ id }} search={{ spam: true }}>
            {spam} spam
          </Link>
        )}
        {lastAt !== null && (
          <span>
            Last <RelativeTime at={lastAt} />
          </span>
        )}
      </p>
      <div className={classes['actions']}>
        <Button variant="default" component={Link} to={`/lead-forms/${id}/edit`}>
          Edit Fields
        </Button>
        <Button variant="default" component={Link} to={`/lead-forms/${id}/submissions`}>
          Submissions
        </Button>
        <span className={classes['space']} />
        <Tooltip label="Open in new tab">
          <a className={rowButton['button']} href={address} target="_blank" rel="noreferrer" aria-label={`Open ${title} in a new tab`}>
            <IconExternalLink size={18} stroke={1.6} />
          </a>
        </Tooltip>
        <Tooltip label="Delete">
          <button
            type="button"
            className={rowButton['button']}
            aria-label={`Delete ${title}`}
            // the second click of a double click would be on the next card, which moves under the pointer
            onClick={({ detail: clickCount }) => clickCount <= 1 && remove.mutate(form)}
          >
            <IconTrash size={18} stroke={1.6} />
          </button>
        </Tooltip>
      </div>
    </li>
  )
}

/** Says why an active form takes no submissions; nothing if it takes them. */
function ClosedNote({ form }: { form: LeadFormRow }) {
  const { is_active: isActive, closes_at: closesAt, max_submissions: max, submission_count: count } = form
  const now = useNow()
  const isClosed = closesAt !== null && Date.parse(closesAt) <= now
  const isFull = max !== null && count >= max
  if (!isActive || !(isClosed || isFull)) return null
  return (
    <p className={classes['closed']}>
      Takes no submissions:{' '}
      {isClosed ? (
        <>
          closed <RelativeTime at={closesAt} />
        </>
      ) : (
        `full, ${formatNumber(count)} of ${formatNumber(max ?? count)}`
      )}
    </p>
  )
}

function ActiveSwitch({ form: { id, title, is_active: isActive } }: { form: LeadFormRow }) {
  const update = useUpdateForm(id)
  const isChecked = update.isPending ? update.variables.body.is_active : isActive
  return (
    <ToggleSwitch
      label={isChecked ? 'Active' : 'Inactive'}
      name={`${title} is active`}
      checked={isChecked ?? false}
      onChange={(checked) => update.mutate({ body: { is_active: checked }, title: checked ? 'Form activated' : 'Form deactivated' })}
    />
  )
}
