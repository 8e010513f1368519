import type { OutboxMail } from '#contract/outbox.ts'

type State = OutboxMail['state']

/** The badge of each state of a mail. */
export const stateBadges = {
  waiting: { label: 'Waiting', colour: 'var(--f-warning)', dot: 'half' },
  sent: { label: 'Sent', colour: 'var(--f-success)', dot: 'full' },
  // there was no mail server
  off: { label: 'Not sent', colour: 'var(--f-danger)', dot: 'full' },
  failed: { label: 'Failed', colour: 'var(--f-danger)', dot: 'full' },
  given_up: { label: 'Given up', colour: 'var(--f-text-3)', dot: 'ring' },
} as const satisfies Readonly<Record<State, object>>

const states = ['waiting', 'sent', 'failed', 'off', 'given_up'] as const satisfies readonly State[]

/** The choices of the filter by state. The empty value means all mails. */
export const stateFilters = [{ value: '', label: 'All mails' }, ...states.map((value) => ({ value, label: stateBadges[value].label }))]

/** Returns the state of a choice of the filter; undefined for all mails. */
export const findState = (value: string): State | undefined => states.find((state) => state === value)
