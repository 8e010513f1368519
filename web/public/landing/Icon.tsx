import { icons, type IconName } from './icons.ts'

/** A line drawing beside words that say the same, so it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={linesOf(icons[name])} />
    </svg>
  )
}

/** The lines of a picture as one path, so that none is painted twice where two meet. Its unseen frame says `stroke="none"` first. */
function linesOf(picture: string): string {
  return [...picture.matchAll(/<path d="([^"]+)"/g)].map(([, line]) => line).join(' ')
}
