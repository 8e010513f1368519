const half = {
  leaf: 'M76 120l62 27c5 2 8 7 8 12v141H76z',
  handle: 'M134 212v16',
  plant: 'M8 300v-44m0 0c-8-12-6-30 0-42 6 12 8 30 0 42zm0 0c5-10 14-14 22-16-2 10-10 16-22 16z',
}
const wide = {
  leaf: 'M76 120l20 15c4 3 6 7 6 12v153H76z',
  handle: 'M96 214v16',
  plant:
    'M24 300V196m0 0c-10-14-8-34 0-48 8 14 10 34 0 48zm0 44c6-14 18-20 28-22-3 14-12 22-28 22zm0-10c-6-12-14-17-22-19 2 11 10 19 22 19zm0 42c5-12 14-17 24-19-3 12-11 19-24 19z',
}

/** The door of the house, standing on whatever lies below it. It opens from the top of the page to its end; the plant grows meanwhile. */
export function Door({ opening }: { opening: 'half' | 'wide' }) {
  const { leaf, handle, plant } = opening === 'half' ? half : wide
  return (
    <svg className="door" viewBox="0 0 260 300" aria-hidden="true">
      <path className="door-light" d="M76 300V126a56 56 0 0 1 112 0v174z" />
      <path d="M56 300V126a76 76 0 0 1 152 0v174" />
      <path d="M76 300V126a56 56 0 0 1 112 0v174" />
      <path className="door-leaf" d={leaf} />
      <path className="door-handle" d={handle} />
      <path d={plant} />
    </svg>
  )
}
