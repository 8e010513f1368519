import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { minShownUse, type StorageUse } from '#contract/storage.ts'
import { formatCount, formatFileSize } from '#web/lib/format.ts'
import { ChartLegend, ChartTable, type Series } from '#web/ui/chartParts.tsx'
import { storageQuery } from './queries.ts'
import classes from './StorageTile.module.css'
import { Tile } from './Tile.tsx'
import tile from './Tile.module.css'

/** The space that the files need, by type, and the space that is free. */
export function StorageTile() {
  return (
    <Tile
      title="Storage"
      getSummary={(storage) => (storage.used_bytes > 0 ? describeUse(storage) : undefined)}
      link={<Link to="/files">Files</Link>}
      query={useQuery(storageQuery)}
      layout="single bar"
      isWide
    >
      {(storage) => (
        <>
          {storage.used_bytes > 0 ? <Parts storage={storage} /> : <NoFiles quota={storage.quota_bytes} />}
          {areRecordsNearlyFull(storage) && <RecordSpace storage={storage} />}
        </>
      )}
    </Tile>
  )
}

/** Whether the records and their history use more than the share `minShownUse` of their quota. */
const areRecordsNearlyFull = ({ record_bytes: used, record_quota_bytes: quota }: StorageUse): boolean => used > minShownUse * quota

const describeUse = ({ used_bytes: used, quota_bytes: quota, file_count: count }: StorageUse): string =>
  `${formatFileSize(used)} of ${formatFileSize(quota)}, ${formatCount(count, 'file')}`

const NoFiles = ({ quota }: { quota: number }) => (
  <p className={tile['nothing']}>No files yet. There is space for {formatFileSize(quota)} of them.</p>
)

/** Says that the records will soon reach their quota, with a link to the page that can erase history. */
const RecordSpace = ({ storage }: { storage: StorageUse }) => (
  <p className={classes['records']}>
    Records and their history use {formatFileSize(storage.record_bytes)} of {formatFileSize(storage.record_quota_bytes)}.{' '}
    <Link to="/account">Erase history</Link>
  </p>
)

type Part = Series & { bytes: number }

const groupSeries: Record<StorageUse['groups'][number]['name'], Omit<Series, 'name'>> = {
  documents: { label: 'Documents', colour: 'var(--f-chart-1)' },
  pictures: { label: 'Pictures', colour: 'var(--f-chart-2)' },
  media: { label: 'Audio and video', colour: 'var(--f-chart-3)' },
  other: { label: 'Other', colour: 'var(--f-chart-4)' },
}

function Parts({ storage }: { storage: StorageUse }) {
  const parts = listParts(storage)
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <>
      <div className={classes['bar']} aria-hidden>
        {parts.map(({ name, colour, bytes }) => (
          <span key={name} style={{ width: `${(bytes / total) * 100}%`, background: colour }} />
        ))}
      </div>
      <div className={classes['legend']} aria-hidden>
        <ChartLegend series={parts.map((part) => ({ ...part, label: `${part.label} ${formatFileSize(part.bytes)}` }))} />
      </div>
      <ChartTable
        caption="Storage by type"
        headings={['Type', 'Size']}
        rows={parts.map(({ name, label, bytes }) => ({ key: name, heading: label, cells: [formatFileSize(bytes)] }))}
      />
    </>
  )
}

/** Returns the parts of the bar that have bytes, the free space last. */
function listParts({ groups, trash_bytes: trash, upload_bytes: uploads, used_bytes: used, quota_bytes: quota }: StorageUse): Part[] {
  const parts: Part[] = [
    ...groups.map(({ name, bytes }) => ({ name, ...groupSeries[name], bytes })),
    { name: 'uploads', label: 'Being uploaded', colour: 'var(--f-chart-5)', bytes: uploads },
    { name: 'trash', label: 'In the trash', colour: 'var(--f-chart-none)', bytes: trash },
    { name: 'free', label: 'Free', colour: 'var(--f-surface-2)', bytes: Math.max(0, quota - used) },
  ]
  return parts.filter(({ bytes }) => bytes > 0)
}
