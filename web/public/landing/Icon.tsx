// Imports each icon as text, because the React package would load thousands of icons into the server.
import addressBook from '@tabler/icons/outline/address-book.svg?raw'
import board from '@tabler/icons/outline/layout-kanban.svg?raw'
import mailBolt from '@tabler/icons/outline/mail-bolt.svg?raw'
import messages from '@tabler/icons/outline/messages.svg?raw'
import plug from '@tabler/icons/outline/plug.svg?raw'
import people from '@tabler/icons/outline/users.svg?raw'

/** The icons of the landing page. Each is the text of an svg file (24 by 24). */
export const icons = {
  addressBook,
  board,
  mailBolt,
  messages,
  people,
  plug,
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
