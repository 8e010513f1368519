import { IconCopy, IconExternalLink } from '@tabler/icons-react'
import type { BookingLinkRow } from '#contract/bookingLinks.ts'
import rowButton from '#web/ui/RowButton.module.css'
import classes from './bookingLinks.module.css'
import { getPublicPath } from './publicAddress.ts'

type CellProps = { link: BookingLinkRow; isInTabOrder: boolean }

/** The colour of a booking link. */
export const ColourDot = ({ color }: { color: string }) => (
  <span className={classes['dot']} style={{ backgroundColor: color }} aria-hidden="true" />
)

/** The address of the public page, with buttons that copy and open it. The list handles the click on a button by `data-action`. */
export const AddressCell = ({ link: { slug, title }, isInTabOrder }: CellProps) => (
  <span className={classes['address']}>
    <span className={classes['path']} title={getPublicPath(slug)}>
      {getPublicPath(slug)}
    </span>
    <button
      type="button"
      className={rowButton['button']}
      data-action="copy link"
      aria-label={`Copy link: ${title}`}
      title="Copy link"
      tabIndex={isInTabOrder ? 0 : -1}
    >
      <IconCopy size={16} stroke={1.75} />
    </button>
    <a
      className={rowButton['button']}
      href={getPublicPath(slug)}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open booking page: ${title}`}
      title="Open booking page"
      tabIndex={isInTabOrder ? 0 : -1}
    >
      <IconExternalLink size={16} stroke={1.75} />
    </a>
  </span>
)

/** The button that activates or deactivates a booking link. The list handles its click by `data-action`. */
export const ActiveCell = ({ link: { title, is_active }, isInTabOrder }: CellProps) => (
  <button
    type="button"
    className={classes['active']}
    data-action="toggle"
    data-on={is_active || undefined}
    aria-label={`${is_active ? 'Active' : 'Inactive'}: ${title}`}
    title={is_active ? 'Deactivate booking link' : 'Activate booking link'}
    tabIndex={isInTabOrder ? 0 : -1}
  >
    {is_active ? 'Active' : 'Inactive'}
  </button>
)
