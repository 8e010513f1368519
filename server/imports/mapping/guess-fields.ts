// Maps the columns of a table without headers, from the cells alone.
import { isMostly, share } from './content.ts'
import type { Column, FieldChoice, ImportedKind } from './column-mapping.ts'
import { readChoice } from './choices.ts'

type Samples = readonly string[]
type Guess = { field: string; fits: (samples: Samples) => boolean; repeatable?: boolean }

const isName = (samples: Samples): boolean => isMostly('properName', samples) && !isMostly('company', samples)
const isText = (samples: Samples): boolean => samples.some((cell) => /\p{L}{3}/u.test(cell)) && !isMostly('date', samples)
const isChoice = (list: 'stage' | 'status' | 'priority') => (samples: Samples) => {
  const filled = samples.filter((cell) => cell !== '')
  return filled.length > 0 && filled.every((cell) => readChoice(list, cell) !== undefined && !/^\d*$/.test(cell))
}

/** The fields of each kind, in the order in which they are tried. With an empty `field`, a column that fits is not mapped. */
const guesses: Record<ImportedKind, readonly Guess[]> = {
  contact: [
    { field: 'email', fits: (samples) => isMostly('email', samples), repeatable: true },
    {
      field: '',
      fits: (samples) => isMostly('url', samples) || isMostly('date', samples) || isMostly('yesOrNo', samples),
      repeatable: true,
    },
    { field: 'mailing_street', fits: (samples) => isMostly('street', samples) },
    { field: 'phone', fits: (samples) => share('phone', samples) >= 0.5 && !isMostly('postalCode', samples), repeatable: true },
    { field: 'mailing_postal_code', fits: (samples) => isMostly('postalCode', samples) },
    { field: 'mailing_country', fits: (samples) => isMostly('country', samples) },
    { field: 'mailing_state', fits: (samples) => isMostly('stateCode', samples) },
    { field: 'mailing_city', fits: (samples) => isMostly('city', samples) },
    { field: 'company', fits: (samples) => share('company', samples) >= 0.5 },
    { field: 'title', fits: (samples) => share('job', samples) >= 0.5 },
    { field: 'full_name', fits: (samples) => isName(samples) && isMostly('severalWords', samples) && share('givenName', samples) > 0.3 },
    { field: 'full_name', fits: (samples) => samples.every((cell) => cell === '' || /^\p{Lu}[\p{L}' -]+, \p{Lu}[\p{L}. -]+$/u.test(cell)) },
    { field: 'first_name', fits: (samples) => isName(samples) && share('givenName', samples) > 0.3 },
  ],
  company: [
    { field: 'email', fits: (samples) => isMostly('email', samples) },
    { field: 'website', fits: (samples) => isMostly('url', samples) },
    { field: 'phone', fits: (samples) => isMostly('phone', samples) },
    { field: 'name', fits: (samples) => share('company', samples) >= 0.5 },
    { field: 'name', fits: isText },
  ],
  deal: [
    { field: 'stage', fits: isChoice('stage') },
    { field: 'expected_close_date', fits: (samples) => isMostly('date', samples) },
    { field: 'value', fits: (samples) => isMostly('number', samples) },
    { field: '', fits: (samples) => isMostly('email', samples) || isMostly('url', samples), repeatable: true },
    { field: 'title', fits: isText },
  ],
  task: [
    { field: 'status', fits: isChoice('status') },
    { field: 'priority', fits: isChoice('priority') },
    { field: 'due_date', fits: (samples) => isMostly('date', samples) },
    { field: 'title', fits: isText },
  ],
}

/** Guesses the fields of columns without headers. Every guess is unsure. */
export function guessFields(kind: ImportedKind, columns: readonly Column[]): FieldChoice[] {
  const fields: (string | undefined)[] = []
  for (const { samples } of columns)
    fields.push(guesses[kind].find(({ field, fits, repeatable }) => (repeatable || !fields.includes(field)) && fits(samples))?.field)
  if (kind === 'contact') guessNeighbours(fields, columns)
  return fields.map((field) =>
    field ? { field, certainty: 'unsure', reason: 'content' } : { field: null, certainty: 'unsure', reason: 'unknown' },
  )
}

/** Maps names beside a first name to the last name, and names beside a part of an address to the city. */
function guessNeighbours(fields: (string | undefined)[], columns: readonly Column[]): void {
  const guessBeside = (field: string, neighbour: string, offsets: readonly number[]): void => {
    const index = fields.indexOf(neighbour)
    const beside = offsets
      .map((offset) => index + offset)
      .find((position) => fields[position] === undefined && isName(columns[position]?.samples ?? []))
    if (index >= 0 && beside !== undefined && !fields.includes(field)) fields[beside] = field
  }
  guessBeside('last_name', 'first_name', [1, -1])
  guessBeside('mailing_city', 'mailing_postal_code', [1, -1])
  guessBeside('mailing_city', 'mailing_street', [1])
  guessBeside('mailing_city', 'mailing_state', [-1, 1])
  guessBeside('mailing_city', 'mailing_country', [-1, 1])
  if (fields.includes('first_name') && !fields.includes('last_name')) fields[fields.indexOf('first_name')] = 'full_name'
}
