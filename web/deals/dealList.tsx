import { IconClock } from '@tabler/icons-react'
import { dealFilters, type DealRow } from '#contract/deals.ts'
import { daysUntil, exactDay, money, nearDay } from '#web/lib/format.ts'
import { NameCell, TagsCell, TextCell } from '#web/records/list/cells.tsx'
import type { ListColumn, ListKind } from '#web/records/kind/kind.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { dealLabels } from './dealKind.ts'
import { dealPlace } from './dealPlace.ts'
import classes from './deals.module.css'
import { linkedTables } from './queries.ts'
import { isClosed, stageChoices, stageColour, stageLabels } from './stages.ts'

/** What the list of deals is. */
export const dealList: ListKind<DealRow> = {
  ...dealPlace,
  shows: linkedTables,
  opensOver: true,
  filters: dealFilters,
  nameOf: ({ title }) => title,
  columns,
  sorts: [
    { name: 'title', label: 'Title', ascending: 'A to Z', descending: 'Z to A' },
    { name: 'value', label: 'Value', ascending: 'smallest first', descending: 'largest first' },
    { name: 'expected_close_date', label: 'Close date', ascending: 'soonest first', descending: 'latest first' },
    { name: 'changed', label: 'Last change', ascending: 'oldest first', descending: 'newest first' },
  ],
  fields: [
    { name: 'title', label: dealLabels.title, required: true },
    { name: 'stage', label: dealLabels.stage, choices: stageChoices, required: true },
    { name: 'value', label: dealLabels.value },
    { name: 'probability', label: dealLabels.probability },
    { name: 'expected_close_date', label: dealLabels.expected_close_date },
    { name: 'contact_id', label: dealLabels.contact_id, linksTo: 'contact' },
    { name: 'company_id', label: dealLabels.company_id, linksTo: 'company' },
    { name: 'tags', label: dealLabels.tags },
    { name: 'created_at', label: 'Added', required: true },
  ],
  bulk: ['stage', 'probability', 'expected_close_date', 'contact_id', 'company_id'],
  searched: 'title',
  empty: {
    motif: <CardsOfBoard />,
    title: 'No deals yet',
    words: 'A deal is something that somebody may buy from you. Follow it from the first talk to the signature.',
  },
}

function columns(isPhone: boolean): readonly ListColumn<DealRow>[] {
  return [
    {
      name: 'title',
      label: dealLabels.title,
      sortable: true,
      cell: (deal, reachable) => (
        <NameCell name={deal.title} href={`/crm/deals/${deal.id}`} reachable={reachable} second={isPhone && <OnPhone deal={deal} />} />
      ),
    },
    { name: 'stage', label: dealLabels.stage, width: 124, firm: true, cell: ({ stage }) => <StageBadge stage={stage} /> },
    {
      name: 'value',
      label: dealLabels.value,
      width: 128, // £123,456,789.50: half a number says a wrong one
      align: 'right',
      firm: true,
      sortable: true,
      cell: ({ value }) => value !== null && <TextCell text={money(value)} />,
    },
    {
      name: 'expected_close_date',
      label: dealLabels.expected_close_date,
      width: 120,
      sortable: true,
      cell: (deal) => <CloseDay deal={deal} />,
    },
    {
      name: 'company_name',
      label: dealLabels.company_id,
      width: 160,
      from: 1024,
      cell: ({ company_name }) => <TextCell text={company_name} />,
    },
    {
      name: 'contact_name',
      label: dealLabels.contact_id,
      width: 150,
      from: 1200,
      cell: ({ contact_name }) => <TextCell text={contact_name} />,
    },
    { name: 'tags', label: dealLabels.tags, width: 150, from: 'never', cell: ({ tags }) => <TagsCell tags={tags} /> },
    {
      name: 'probability',
      label: dealLabels.probability,
      width: 100,
      align: 'right',
      from: 'never',
      cell: ({ probability }) => probability !== null && `${probability}%`,
    },
    {
      name: 'changed',
      label: 'Last change',
      width: 120,
      from: 'never',
      sortable: true,
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
  ]
}

export const StageBadge = ({ stage }: Pick<DealRow, 'stage'>) => <Badge label={stageLabels[stage]} colour={stageColour(stage)} />

/** When a deal is expected to close; late is said by colour and icon. */
export function CloseDay({ deal: { stage, expected_close_date: date } }: { deal: Pick<DealRow, 'stage' | 'expected_close_date'> }) {
  if (!date) return null
  const late = !isClosed(stage) && daysUntil(date) < 0
  return (
    <time
      className={classes['day']}
      dateTime={date}
      title={late ? `${exactDay(date)}, overdue` : exactDay(date)}
      data-late={late || undefined}
    >
      {late && (
        <>
          <IconClock size={12} stroke={1.75} aria-hidden />
          <span className={classes['unseen']}>Overdue, </span>
        </>
      )}
      {nearDay(date)}
    </time>
  )
}

const OnPhone = ({ deal: { value, company_name, stage } }: { deal: DealRow }) =>
  [stageLabels[stage], value !== null && money(value), company_name].filter(Boolean).join(' · ')

function CardsOfBoard() {
  return (
    <>
      <path d="M14 56h22M14 62h22v13H14zM14 80h22v13H14z" />
      <path d="M124 50h22M124 56h22v13h-22zM124 74h22v19h-22z" />
    </>
  )
}
