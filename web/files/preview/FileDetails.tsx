import { IconClock, IconDatabase, IconFile, IconFolder } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { File } from '#contract/files.ts'
import { formatFileSize, formatNumber } from '#web/lib/format.ts'
import { Fact, RecordFacts } from '#web/records/panel/RecordFacts.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { usePlace } from './usePlace.ts'

/** What is known about a file. */
export function FileDetails({ file }: { file: File }) {
  const place = usePlace(file)
  return (
    <RecordFacts>
      <Fact icon={IconFile} label="Type">
        {file.file_type === 'unknown' ? 'Unknown' : file.file_type.toUpperCase()}
      </Fact>
      <Fact icon={IconDatabase} label="Size">
        <span title={`${formatNumber(file.file_size)} bytes`}>{formatFileSize(file.file_size)}</span>
      </Fact>
      <Fact icon={IconClock} label="Added">
        <RelativeTime at={file.created_at} />
      </Fact>
      <Fact icon={IconFolder} label="Where">
        <Link className="link" to={place.address}>
          {place.title}
        </Link>
      </Fact>
    </RecordFacts>
  )
}
