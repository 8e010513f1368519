// Computes the values of a merged contact from those of the two contacts.
import { mergedContactsKey } from '#contract/contacts.ts'
import { mergedFields, type MergedField } from '#contract/duplicates.ts'
import { tagLimits } from '#contract/fields.ts'
import { joinTags } from '#contract/tags.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import type { StoredContact } from './merge.store.ts'

/** The contact whose value is kept, by field. */
export type Choices = Partial<Record<MergedField, 'this' | 'other'>>

/** The columns that are computed from a field and come from the same contact. */
const derivedColumns: Partial<Record<MergedField, readonly string[]>> = {
  phone: ['phone_key'],
  mobile_phone: ['mobile_phone_key'],
  company: ['company_id'],
}

/**
 * Returns the columns of the merged contact. Without a choice it keeps the value of `contact`, or that of `other` if `contact` has none. If
 * both have the same company as text, it keeps the link of the one that has a link.
 * All values that are not kept are added to `raw_data`.
 */
export function mergeValues(contact: StoredContact, other: StoredContact, choices: Choices): Fields {
  const kept: Record<string, unknown> = {}
  const notKept: Record<string, unknown> = {}
  for (const field of mergedFields) {
    const columns = [field, ...(derivedColumns[field] ?? [])]
    const [source, rejected] = (choices[field] ?? chooseSide(columns, contact, other)) === 'this' ? [contact, other] : [other, contact]
    for (const column of columns) kept[column] = source[column]
    if (!isEmpty(rejected[field]) && rejected[field] !== source[field]) notKept[field] = rejected[field]
  }
  const tags = joinTags(contact.tags, other.tags)
  const tooManyTags = tags.slice(tagLimits.count)
  if (tooManyTags.length > 0) notKept['tags'] = tooManyTags
  return { ...kept, tags: tags.slice(0, tagLimits.count), raw_data: mergeRawData(contact, other, notKept) }
}

/** Finds the first column that differs. Chooses `other` if only `other` has a value in this column. */
function chooseSide(columns: readonly string[], contact: StoredContact, other: StoredContact): 'this' | 'other' {
  const different = columns.find((column) => contact[column] !== other[column])
  return different !== undefined && isEmpty(contact[different]) ? 'other' : 'this'
}

const isEmpty = (value: unknown): boolean => value === '' || value === null

/**
 * Joins `raw_data` of both contacts, and adds an entry with the id of the deleted contact and the values that were not kept. If both
 * contacts have a value under the same key, the entry also has the value of the deleted contact.
 */
function mergeRawData(contact: StoredContact, other: StoredContact, notKept: Fields): Fields {
  const { [mergedContactsKey]: earlier, ...values } = contact.raw_data ?? {}
  const { [mergedContactsKey]: earlierOfOther, ...valuesOfOther } = other.raw_data ?? {}
  const notMerged = Object.entries(valuesOfOther).filter(
    ([key, value]) => Object.hasOwn(values, key) && JSON.stringify(values[key]) !== JSON.stringify(value),
  )
  const entry = {
    id: other.id,
    external_id: other.external_id,
    ...(Object.keys(notKept).length > 0 && { values: notKept }),
    ...(notMerged.length > 0 && { raw_data: Object.fromEntries(notMerged) }),
  }
  return { ...valuesOfOther, ...values, [mergedContactsKey]: [...toList(earlier), ...toList(earlierOfOther), entry] }
}

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined ? [] : [value]
}
