// Shows the free times of the day and the time zone that the visitor chooses.
import type { OfferedDay, OfferedTime, TimesResponse, OtherDay } from '#contract/publicBookings.ts'
import { listedFieldNames } from '#contract/visitorForms.ts'
import { describeNoTimes } from './sentences.ts'
import { groupZones, type ZoneGroup } from './zoneGroups.ts'

/** The number of days whose times are loaded at once. There are fewer if they have very many times. */
const loadedDays = 60

export type ShownTimes = {
  /**
   * Shows free times near the one with the start `takenStart`, which was just taken, and the sentence about it. The next choice of a day
   * loads the times again.
   */
  showNearest: (takenStart: string, nearest: readonly OfferedTime[], sentence: string) => void
}

/** Shows times in the fields of the form. Selects the zone of the browser, unless the address has a zone or the page moves a booking. */
export function showTimes(form: HTMLFormElement, linkId: string): ShownTimes {
  const date = findInput(form, 'date')
  // the day and the zone of the times in the list; `date` and `zone` differ while other times are loading, and after the Back button
  const listedDate = findInput(form, listedFieldNames.date)
  const listedZone = findInput(form, listedFieldNames.timezone)
  const time = findSelect(form, 'start_time')
  const zone = findSelect(form, 'timezone')
  const message = form.querySelector<HTMLElement>('#start_time-message')
  const zoneMessage = form.querySelector('#timezone-message')
  /** The zone that the server has chosen for the page, and which it therefore knows. */
  const pageZone = zone.value
  /** The loaded days with times. The days from `from` to `to` are complete. */
  let loaded:
    | { days: Map<string, OfferedDay>; from: string; to: string; zoneLabel: string; otherDay: OtherDay | null; isFull: boolean }
    | undefined
  /** Whether the visitor, or the link that the visitor opened, has chosen the day. Otherwise the page shows the first day with times. */
  let isDayChosen = new URLSearchParams(location.search).get('date') === date.value
  let updateCount = 0
  /** The time that the visitor has chosen, also while the list does not have it. */
  let chosen = readChosen()
  /** Loads the times again; undefined unless the last attempt has failed. */
  let retry: (() => void) | undefined

  function readChosen(): { start: string; label: string } {
    return { start: time.value, label: time.selectedOptions[0]?.textContent ?? '' }
  }

  /**
   * Loads the times of up to `loadedDays` days, beginning with `from`, by default with today. Returns undefined if the server does not
   * know the zone.
   */
  async function load(from?: string): Promise<TimesResponse | undefined> {
    const [, move] = /^\/booking\/move\/([^/]+)/.exec(location.pathname) ?? []
    const query = new URLSearchParams({ timezone: zone.value, ...(from !== undefined && { from }), ...(move !== undefined && { move }) })
    const response = await fetch(`/api/public/booking-links/${linkId}/times?${query.toString()}`)
    if (response.ok) return response.json()
    const { fields = {} }: { fields?: Record<string, string> } = await response.json()
    if (fields['timezone'] === undefined || zone.value === pageZone) throw new Error('The times could not be loaded')
    return undefined
  }

  function acceptLoaded(offered: TimesResponse, from: string | undefined): void {
    const first = from !== undefined && from > offered.today ? from : offered.today
    loaded = {
      days: new Map(offered.days.map((day) => [day.date, day])),
      from: first,
      to: offered.complete_to,
      zoneLabel: offered.timezone_label,
      otherDay: offered.other_day,
      isFull: offered.is_full,
    }
    date.min = offered.today
    date.max = offered.last_day
    if (from === undefined) date.value = pickDay(offered)
  }

  /**
   * Returns the day to show in a new zone. A chosen day stays although it has no times, because the visitor may want to wait for one. A
   * chosen day before today becomes today, and one after the last day that can be booked becomes this last day.
   */
  function pickDay({ days, today, last_day: lastDay, complete_to: completeTo }: TimesResponse): string {
    const { value } = date
    if (isDayChosen && value > lastDay) return lastDay
    if (isDayChosen) return value < today ? today : value
    const isKept = days.some((day) => day.date === value) || (value > completeTo && value <= lastDay)
    return isKept ? value : (days[0]?.date ?? today)
  }

  /** Whether the page knows the times of the chosen day or, if it has none, which other day has times. */
  function isDayLoaded(): boolean {
    if (!loaded || date.value < loaded.from || date.value > loaded.to) return false
    const { days, to } = loaded
    // without days the response has named another day with times, and after the last day of booking no day has any
    return days.size === 0 || to >= date.max || [...days.keys()].some((day) => day >= date.value)
  }

  /** Shows the times of the chosen day. Does nothing with a response that arrives after the visitor has chosen another day or zone. */
  async function update({ isZoneNew = false } = {}): Promise<void> {
    const currentUpdate = ++updateCount
    retry = undefined
    if (time.value !== '') chosen = readChosen()
    if (isZoneNew) {
      loaded = undefined
      showZoneLabel(zone.selectedOptions[0]?.textContent) // only the response has the offset
    }
    listedZone.value = zone.value
    listedDate.value = date.value
    // in a new zone, the loaded days begin today, or on the chosen day if it is too far ahead
    const from = isZoneNew && (date.min === '' || date.value <= addDays(date.min, loadedDays - 1)) ? undefined : date.value
    try {
      if (!isDayLoaded()) {
        time.replaceChildren(createOption('Loading...')) // the visitor must not choose a time of the previous zone or day
        const offered = await load(from)
        if (currentUpdate !== updateCount) return
        if (!offered) return leaveUnknownZone()
        acceptLoaded(offered, from)
        // the response ends before the chosen day, because its number of times is limited, or it has no times from that day on
        if (from === undefined && !isDayLoaded()) return void update()
      }
      showDay()
    } catch {
      if (currentUpdate !== updateCount) return
      time.replaceChildren(createOption('Not loaded'))
      loaded = undefined
      retry = () => void update({ isZoneNew })
      showMessage('The times could not be loaded. Check your connection and open the list again.')
    }
  }

  /** Shows the times in the zone of the page, because the server does not know the selected zone. */
  function leaveUnknownZone(): void {
    if (zoneMessage) zoneMessage.textContent = `Times in the zone ${zone.value} cannot be shown. Choose another zone from the list.`
    zone.value = pageZone
    void update({ isZoneNew: true })
  }

  /**
   * Shows the times of the chosen day. Selects the chosen time, or the same time of day, or none, so that no other time is booked by
   * accident.
   */
  function showDay(): void {
    const day = loaded?.days.get(date.value)
    listedDate.value = date.value // in a new zone, `pickDay` may have chosen another day
    showZoneLabel(day?.timezone_label ?? loaded?.zoneLabel) // the offset of the zone depends on the day
    const same =
      day?.times.find(({ start_time: start }) => start === chosen.start) ?? day?.times.find(({ label: each }) => each === chosen.label)
    time.replaceChildren(createOption(day ? 'Choose a time' : 'No free times'), ...(day?.times.map(createTimeOption) ?? []))
    time.value = same?.start_time ?? ''
    offerWaiting(day === undefined)
    const days = [...(loaded?.days.values() ?? [])]
    const other = days.find((each) => each.date > date.value) ?? days.at(-1) ?? loaded?.otherDay ?? null
    showMessage(day ? '' : describeNoTimes(date.value, other, loaded?.isFull ?? false))
  }

  function showZoneLabel(text: string | undefined): void {
    const label = document.querySelector('#zone-label')
    if (label) label.textContent = text ?? ''
  }

  function offerWaiting(isOffered: boolean): void {
    const section = document.querySelector<HTMLElement>('#wait')
    if (!section) return
    const { firstDay = '', lastDay = '' } = section.dataset // the days for which the visitor waits
    section.hidden = !isOffered || (firstDay <= date.value && date.value <= lastDay)
  }

  /**
   * Shows a sentence about the list of times, and removes a message about a refused time. The attribute `data-lasting` keeps the sentence,
   * which `messages.ts` shows again when a later message is removed.
   */
  function showMessage(text: string): void {
    if (message) message.textContent = message.dataset['lasting'] = text
    time.removeAttribute('aria-invalid')
  }

  function showRefusal(text: string): void {
    if (message) message.textContent = text
    time.setAttribute('aria-invalid', 'true')
  }

  date.addEventListener('change', () => {
    isDayChosen = true
    if (date.value !== '') void update() // it is empty while the visitor enters another day
  })
  zone.addEventListener('change', () => {
    if (zoneMessage) zoneMessage.textContent = ''
    zone.removeAttribute('aria-invalid')
    void update({ isZoneNew: true })
  })
  /** Loads the times of the day and the zone in the fields, if the list has times of another day or zone. */
  function updateOutdatedList(): void {
    const isZoneNew = zone.value !== listedZone.value
    if (date.value !== listedDate.value) isDayChosen = true
    if (date.value !== '' && (isZoneNew || date.value !== listedDate.value)) void update({ isZoneNew })
  }

  /** Does nothing while the date is empty: when the visitor has entered a day, its times are loaded anyway. */
  function retryFailed(): void {
    if (date.value !== '') retry?.()
  }
  window.addEventListener('online', retryFailed)
  // a field that has the focus gets no second event `focus`, so `pointerdown` is needed too
  for (const event of ['pointerdown', 'focus']) time.addEventListener(event, retryFailed)
  chooseZone(zone)
  updateOutdatedList() // after the Back button the browser has restored the fields, but not the list
  window.addEventListener('pageshow', updateOutdatedList) // some browsers restore them only now
  return {
    showNearest: (takenStart, nearest, sentence) => {
      // a response with other times, or another attempt to load them, would replace the sentence
      updateCount += 1
      retry = undefined
      offerWaiting(true)
      loaded = undefined // the next choice of a day loads the times again
      // while the booking was sent, the visitor may have selected another time
      for (const each of [...time.options].filter(({ value }) => value === takenStart)) each.remove()
      for (const each of time.querySelectorAll('optgroup, option[value=""]')) each.remove()
      time.prepend(createGroup('Nearest free times', nearest.map(createTimeOption)))
      time.prepend(createOption('Choose a time'))
      time.value = ''
      showMessage(time.length > 1 ? '' : describeNoTimes(date.value, null, false))
      showRefusal(sentence)
      time.focus()
    },
  }
}

/** Selects the zone of the browser, unless the address has a zone or belongs to a booking, and prepares the list of all zones. */
function chooseZone(zone: HTMLSelectElement): void {
  const original = zone.value
  const browserZone = findBrowserZone()
  const keepsOriginal = new URLSearchParams(location.search).has('timezone') || location.pathname.startsWith('/booking/')
  const first = new Set([original, browserZone])
  first.delete('') // some browsers do not know their zone
  showZones(zone, first, keepsOriginal || !browserZone ? original : browserZone)

  // hundreds of options take a slow phone a tenth of a second, which would delay the page
  let isComplete = false
  function complete(): void {
    if (isComplete) return
    isComplete = true
    showZones(zone, new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...first]), zone.value)
  }
  for (const event of ['pointerdown', 'focus']) zone.addEventListener(event, complete, { once: true })
  if ('requestIdleCallback' in window) requestIdleCallback(complete, { timeout: 2000 })
  else setTimeout(complete, 200)
}

/** Shows these zones in the list, with this one selected. */
function showZones(zone: HTMLSelectElement, names: ReadonlySet<string>, selected: string): void {
  zone.replaceChildren(...groupZones(names).flatMap(createZoneOptions))
  zone.value = selected
}

/** Missing in some browsers, and not declared by TypeScript yet. */
declare global {
  var Temporal: { Now: { timeZoneId: () => string } } | undefined
}

/**
 * Returns the zone of the browser; empty if the browser does not know its zone. `Temporal` is faster: the first date format takes a slow
 * phone 0.1 s or more.
 */
const findBrowserZone = (): string => globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''

function createZoneOptions({ region, zones }: ZoneGroup): HTMLElement[] {
  const options = zones.map(({ name, place }) => createOption(place, name))
  return region === '' ? options : [createGroup(region, options)]
}

function createGroup(label: string, options: readonly HTMLOptionElement[]): HTMLOptGroupElement {
  const group = document.createElement('optgroup')
  group.label = label
  group.append(...options)
  return group
}

const createTimeOption = ({ start_time: start, label }: OfferedTime): HTMLOptionElement => createOption(label, start)

/** Creates an option. The required field refuses an option without a value, so the form cannot be sent with it. */
function createOption(label: string, value = ''): HTMLOptionElement {
  const option = document.createElement('option')
  option.textContent = label
  option.value = value
  return option
}

const findInput = (form: HTMLFormElement, name: string): HTMLInputElement =>
  requireField(form.querySelector<HTMLInputElement>(`input[name="${name}"]`), name)
const findSelect = (form: HTMLFormElement, name: string): HTMLSelectElement =>
  requireField(form.querySelector<HTMLSelectElement>(`select[name="${name}"]`), name)

function requireField<Field extends Element>(field: Field | null, name: string): Field {
  if (!field) throw new Error(`The form has no field ${name}`)
  return field
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
