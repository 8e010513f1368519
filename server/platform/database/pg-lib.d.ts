// Types for two files of the package `pg`. With these files batch.ts reads rows as `pg` does.
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
