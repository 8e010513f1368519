import { mark } from '#web/brand/mark.ts'

/** The mark in the colour of the text around it; the name stands beside it, as text. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
      <path d={mark.frame} />
      <path d={mark.leaf} fillOpacity={mark.leafOpacity} />
    </svg>
  )
}
