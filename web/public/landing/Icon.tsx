// Imports each icon as text, because the React package would load thousands of icons into the server.
import addressBook from '@tabler/icons/outline/address-book.svg?raw'
import arrowDown from '@tabler/icons/outline/arrow-down.svg?raw'
import arrowUp from '@tabler/icons/outline/arrow-up.svg?raw'
import building from '@tabler/icons/outline/building.svg?raw'
import calendar from '@tabler/icons/outline/calendar.svg?raw'
import chart from '@tabler/icons/outline/chart-bar.svg?raw'
import checkbox from '@tabler/icons/outline/checkbox.svg?raw'
import dot from '@tabler/icons/outline/circle-dot.svg?raw'
import clock from '@tabler/icons/outline/clock.svg?raw'
import money from '@tabler/icons/outline/currency-dollar.svg?raw'
import more from '@tabler/icons/outline/dots.svg?raw'
import open from '@tabler/icons/outline/external-link.svg?raw'
import filter from '@tabler/icons/outline/filter.svg?raw'
import folder from '@tabler/icons/outline/folder.svg?raw'
import form from '@tabler/icons/outline/forms.svg?raw'
import key from '@tabler/icons/outline/key.svg?raw'
import dashboard from '@tabler/icons/outline/layout-dashboard.svg?raw'
import board from '@tabler/icons/outline/layout-kanban.svg?raw'
import chain from '@tabler/icons/outline/link.svg?raw'
import leave from '@tabler/icons/outline/logout.svg?raw'
import mailBolt from '@tabler/icons/outline/mail-bolt.svg?raw'
import burger from '@tabler/icons/outline/menu-2.svg?raw'
import messages from '@tabler/icons/outline/messages.svg?raw'
import plug from '@tabler/icons/outline/plug.svg?raw'
import plus from '@tabler/icons/outline/plus.svg?raw'
import robot from '@tabler/icons/outline/robot.svg?raw'
import search from '@tabler/icons/outline/search.svg?raw'
import gear from '@tabler/icons/outline/settings.svg?raw'
import sparkles from '@tabler/icons/outline/sparkles.svg?raw'
import target from '@tabler/icons/outline/target-arrow.svg?raw'
import people from '@tabler/icons/outline/users.svg?raw'
import cross from '@tabler/icons/outline/x.svg?raw'

/** The icons of the landing page. Each is the text of an svg file (24 by 24). */
export const icons = {
  addressBook,
  arrowDown,
  arrowUp,
  board,
  building,
  burger,
  calendar,
  chain,
  chart,
  checkbox,
  clock,
  cross,
  dashboard,
  dot,
  filter,
  folder,
  form,
  gear,
  key,
  leave,
  mailBolt,
  messages,
  money,
  more,
  open,
  people,
  plug,
  plus,
  robot,
  search,
  sparkles,
  target,
}

export type IconName = keyof typeof icons

/** An icon next to a label. Hidden from screen readers, which read the label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={joinPaths(icons[name])} />
    </svg>
  )
}

/**
 * Joins the visible lines of an icon to one path. Separate translucent lines would look darker where they overlap. The pattern does not
 * match the invisible frame of the icon, which begins with `<path stroke="none"`.
 */
function joinPaths(svg: string): string {
  return Array.from(svg.matchAll(/<path d="([^"]+)"/g), (match) => match[1]).join(' ')
}
