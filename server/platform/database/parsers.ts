import pg from 'pg'

/**
 * How column values arrive: instants as ISO strings in UTC, dates as `YYYY-MM-DD`, bigints and amounts of money as numbers (ours stay
 * far below 2^53, cents included), everything else as `pg` does it.
 */
export const parsers = new pg.TypeOverrides()

parsers.setTypeParser(pg.types.builtins.TIMESTAMPTZ, toIso)
parsers.setTypeParser(pg.types.builtins.DATE, String)
parsers.setTypeParser(pg.types.builtins.INT8, Number)
parsers.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** '2026-11-21 13:00:10.123456+00' -> '2026-11-21T13:00:10.123456Z'; every connection speaks UTC. */
function toIso(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, text.lastIndexOf('+'))}Z`
}
