const frame = 'M4 28V13.5a12 12 0 0 1 24 0V28h-4V13.5a8 8 0 0 0-16 0V28z'
const leaf = 'M8 9.5l9.3 4.3c1 .5 1.7 1.5 1.7 2.7V29.6c0 1.1-1.1 1.8-2.1 1.3L8 27z'

/** The mark: a door frame and a leaf that stands open, in the colour of the text around it. The name stands beside it, as text. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
      <path d={frame} />
      <path d={leaf} fillOpacity=".55" />
    </svg>
  )
}

/** The mark for the browser's tab. A picture of its own cannot read our tokens: these are --f-brand and the dark --f-brand-text. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path{fill:#006b67}@media(prefers-color-scheme:dark){path{fill:#6bcec6}}</style><path d="${frame}"/><path fill-opacity=".55" d="${leaf}"/></svg>`,
)}`
