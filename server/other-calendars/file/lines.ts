// Finds the lines of the events and time zones in a calendar file.

/** The components that say when somebody is busy. */
const keptComponents = new Set(['VCALENDAR', 'VEVENT', 'VTIMEZONE', 'STANDARD', 'DAYLIGHT'])
const keptProperties = new Set([
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'UID',
  'STATUS',
  'TRANSP',
  'X-MICROSOFT-CDO-BUSYSTATUS',
  'TZID',
  'TZOFFSETFROM',
  'TZOFFSETTO',
])

/** The lines of an event or a time zone, with those of its parts. */
export type Block = { name: 'VEVENT' | 'VTIMEZONE'; lines: readonly string[] }

/**
 * Returns the events and time zones of a calendar file, only with the properties that say when somebody is busy: titles, texts and guests
 * are dropped before anything else reads them, and so are lines that are not valid. Returns undefined for a file that is no calendar.
 */
export function readBlocks(text: string): Block[] | undefined {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) return undefined
  const blocks: Block[] = []
  /** The names of the open components. */
  const open: string[] = []
  let ignoredDepth = 0
  let lines: string[] = []
  for (const line of text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, keyword, component = ''] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(line)?.map((part) => part.toUpperCase()) ?? []
    if (keyword === 'BEGIN') {
      if (ignoredDepth > 0 || !keptComponents.has(component)) ignoredDepth++
      else {
        if (component === 'VEVENT' || component === 'VTIMEZONE') lines = []
        open.push(component)
        lines.push(`BEGIN:${component}`)
      }
    } else if (keyword === 'END') {
      if (ignoredDepth > 0) ignoredDepth--
      else {
        open.pop()
        lines.push(`END:${component}`)
        if (component === 'VEVENT' || component === 'VTIMEZONE') {
          blocks.push({ name: component, lines })
          lines = []
        }
      }
    } else if (ignoredDepth === 0 && open.length > 1 && isKept(line)) lines.push(line)
  }
  return blocks
}

function isKept(line: string): boolean {
  const [, name] = /^([A-Z-]+)[;:]/i.exec(line) ?? []
  return name !== undefined && keptProperties.has(name.toUpperCase())
}
