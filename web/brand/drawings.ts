/** The logo as two filled shapes (32 by 32): a door frame and an open door. */
export const logo = {
  frame: 'M4 28V13.5a12 12 0 0 1 24 0V28h-4V13.5a8 8 0 0 0-16 0V28z',
  door: 'M8 9.5l9.3 4.3c1 .5 1.7 1.5 1.7 2.7V29.6c0 1.1-1.1 1.8-2.1 1.3L8 27z',
  doorOpacity: 0.55,
}

/**
 * The icon of the browser tab. The icon cannot use CSS variables, so it repeats the colours --f-brand (light) and --f-brand-text (dark).
 */
export const favicon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path{fill:#006b67}@media(prefers-color-scheme:dark){path{fill:#6bcec6}}</style><path d="${logo.frame}"/><path fill-opacity="${logo.doorOpacity}" d="${logo.door}"/></svg>`,
)}`

/** The illustration of empty and not-found pages, drawn as lines (160 by 120): an open door. `inset` is the inner line of the frame. */
export const openDoorShapes = {
  ground: 'M14 108h132',
  frame: 'M50 108V58a30 30 0 0 1 60 0v50',
  inset: 'M58 108V58a22 22 0 0 1 44 0v50',
  door: 'M58 46l23 10c2 1 3 2.5 3 4.5V114c0 1.5-1.5 2.5-3 2l-23-8z',
  handle: 'M77 85v6',
}
