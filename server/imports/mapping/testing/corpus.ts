// Reads files of header sets. A set begins with "# name"; each further line is a column: header | field | samples. "-" is no field.
import { readFileSync } from 'node:fs'
import type { Column, ImportedKind } from '../column-mapping.ts'
import { mapColumns } from '../map-columns.ts'

type HeaderSet = { name: string; columns: (Column & { field: string | null })[] }

function readSets(file: string): HeaderSet[] {
  const [, ...sections] = `\n${readFileSync(new URL(file, import.meta.url), 'utf8').trimEnd()}`.split('\n# ')
  return sections.map((section) => {
    const [name = '', ...lines] = section.split('\n')
    const columns = lines.map((line) => {
      const [header = '', field = '', ...samples] = line.split('|').map((cell) => cell.trim())
      return { header: header === '(none)' ? null : header, field: field === '-' ? null : field, samples }
    })
    return { name, columns }
  })
}

/**
 * Maps all sets of a file. `sets` and `columns` are their numbers. `wrong` describes each column that is mapped to a wrong field.
 * `wrongEmailsAndPhones` is the number of columns that are wrongly mapped to an email or a phone.
 */
export function measure(kind: ImportedKind, file: string) {
  const columns = readSets(file).flatMap((set) => {
    const mappings = mapColumns(kind, set.columns)
    return set.columns.map(({ header, field }, index) => ({ set: set.name, header, field, mapped: mappings[index]?.field ?? null }))
  })
  const wrong = columns.filter(({ field, mapped }) => field !== mapped)
  const isEmailOrPhone = (field: string | null): boolean => field === 'email' || field === 'phone' || field === 'mobile_phone'
  return {
    sets: readSets(file).length,
    columns: columns.length,
    accuracy: 1 - wrong.length / columns.length,
    wrong: wrong.map(({ set, header, field, mapped }) => `${set}: ${header}: ${mapped} instead of ${field}`),
    wrongEmailsAndPhones: wrong.filter(({ mapped }) => isEmailOrPhone(mapped)).length,
  }
}
