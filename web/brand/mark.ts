/** The mark, two shapes to be filled in a box of 32 by 32: a door frame, and a leaf that stands open and lets light through. */
export const mark = {
  frame: 'M4 28V13.5a12 12 0 0 1 24 0V28h-4V13.5a8 8 0 0 0-16 0V28z',
  leaf: 'M8 9.5l9.3 4.3c1 .5 1.7 1.5 1.7 2.7V29.6c0 1.1-1.1 1.8-2.1 1.3L8 27z',
  leafOpacity: 0.55,
}

/** The mark for the browser's tab. A picture of its own cannot read our tokens: these are --f-brand and the dark --f-brand-text. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path{fill:#006b67}@media(prefers-color-scheme:dark){path{fill:#6bcec6}}</style><path d="${mark.frame}"/><path fill-opacity="${mark.leafOpacity}" d="${mark.leaf}"/></svg>`,
)}`
