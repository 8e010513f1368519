import { countOf, error, formatBytes, ok, warning, type CheckContext, type Finding } from './check.ts'

/** Numbers about the journal. `withoutChangeSet`, `fromFuture` and `withoutPartition` count wrong rows. */
type JournalFacts = {
  withoutChangeSet: number
  fromFuture: number
  withoutPartition: number
  hasNextMonth: boolean
  changes: string
  bytes: string
  latest: Date | null
}

/**
 * Checks that each journal line has its change set, that no change is from the future, and that the partitions are made. A journal line is
 * the change of one row.
 */
export async function checkJournal({ tableOwner, now }: CheckContext): Promise<Finding[]> {
  const { rows } = await tableOwner.query<JournalFacts>(
    `select
       (select count(*)::int from journal j where not exists (select from changesets c where c.id = j.change)) as "withoutChangeSet",
       (select count(*)::int from changesets where id > app.uuid_floor($1::timestamptz + interval '1 hour')) as "fromFuture",
       (select count(*)::int from journal_default) as "withoutPartition",
       to_regclass('public.journal_' || to_char(date_trunc('month', $1::timestamptz at time zone 'UTC') + interval '1 month', 'YYYYMM')) is not null
         as "hasNextMonth",
       (select count(*) from changesets) as changes,
       (select sum(pg_total_relation_size(relid)) from pg_partition_tree('journal')) as bytes,
       (select max(at) from changesets) as latest`,
    [now],
  )
  const [facts] = rows
  if (!facts) return [error('The database sent no rows.')]
  const findings: Finding[] = []
  if (facts.withoutChangeSet > 0)
    findings.push(
      error(
        `${countOf(facts.withoutChangeSet, 'line of the journal has', 'lines of the journal have')} no change set, and cannot be undone. Restore a backup.`,
      ),
    )
  if (facts.fromFuture > 0)
    findings.push(
      warning(
        `${countOf(facts.fromFuture, 'change has', 'changes have')} a time in the future, because a clock was wrong. New changes are sorted before them.`,
      ),
    )
  if (facts.withoutPartition > 0)
    findings.push(
      warning(
        `${countOf(facts.withoutPartition, 'line of the journal is', 'lines of the journal are')} in no partition of a month, and not compacted. Let Foyer run.`,
      ),
    )
  if (!facts.hasNextMonth) findings.push(warning('The journal has no partition for the next month. Let Foyer run for a day.'))
  if (findings.length > 0) return findings
  const latest = facts.latest ? `, the latest from ${facts.latest.toISOString()}` : ''
  return [ok(`${countOf(Number(facts.changes), 'change')} in ${formatBytes(Number(facts.bytes))}${latest}.`)]
}
