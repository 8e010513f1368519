// The types of a mapping from the columns of an imported table to the fields of a record kind.
import type { Header } from './headers.ts'
import type { NumberFormat } from './values.ts'

export type ImportedKind = 'contact' | 'company' | 'deal' | 'task'
/** A column of the table: its header, null if the table has none, and some of its cells. `isExcel`: the table is an Excel file. */
export type Column = { header: string | null; samples: readonly string[]; isExcel?: boolean }

/**
 * The field of a column. `field` is a field of the kind, or one of `full_name`, `middle_name`, `postal_code_and_city`, `reports_to`, `notes`,
 * `contact_name`, `company_name`, `deal_title` and `left_out`; null if the column is only kept in `raw_data`. If columns have the same field,
 * the values of lower `rank` are preferred. The reason `header_excluded` is for a header of known words that together fit no field, `unknown`
 * for one without known words (or, without headers, for cells that fit no field), `chosen` for a choice of the user, `ai` for one of the AI.
 * `labelColumn` is the index of the column that says which kind of phone number this column has.
 */
export type FieldChoice = {
  field: string | null
  certainty: 'sure' | 'unsure'
  reason: 'header' | 'content' | 'header_excluded' | 'unknown' | 'content_contradicts' | 'other_column_preferred' | 'chosen' | 'ai'
  rank?: number
  labelColumn?: number
}
/** The mapping of a column: its header, its field, and how its dates and amounts are written. */
export type ColumnMapping = FieldChoice & { header: string | null; format?: NumberFormat }

/**
 * A rule of fields.json: a header has the field if it has all concepts of `needs`, and no others except concepts of `allows` and of the
 * list `neutral` of the kind. `filled`: only if the samples are not empty. `lastResort`: only if no other column has the field. `content`:
 * what the cells must be (content.ts). `part` is `address` for a part of an address. The first rules of a field are preferred.
 */
export type Rule = {
  field: string
  needs: string
  allows: string
  content: string
  part?: string
  filled?: boolean
  lastResort?: boolean
}
/** A column with the rule that its header matches. `rank` is the position of the rule. */
export type Candidate = { index: number; header: Header; samples: readonly string[]; rule: Rule; rank: number; isSure: boolean }
