// Types of two files of `pg` with which batch.ts reads rows in the same way as `pg`.
declare module 'pg/lib/result.js' {
  import type { FieldDef, TypeOverrides } from 'pg'
  export default class Result {
    constructor(rowMode: undefined, types?: TypeOverrides)
    addFields(fields: FieldDef[]): void
    parseRow(fields: unknown[]): Record<string, unknown>
  }
}

declare module 'pg/lib/utils.js' {
  const utils: { prepareValue: (value: unknown) => unknown }
  export default utils
}
