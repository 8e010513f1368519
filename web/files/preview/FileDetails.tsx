import { IconClock, IconDatabase, IconFile, IconFingerprint, IconFolder, IconSearch, IconSparkles } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fileRoutes, type File } from '#contract/files.ts'
import { call } from '#web/lib/client.ts'
import { formatFileSize, formatNumber } from '#web/lib/format.ts'
import { Fact, RecordFacts } from '#web/records/panel/RecordFacts.tsx'
import { recordKeys } from '#web/records/kind/queries.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { describeReason } from './fileText.ts'
import classes from './Panel.module.css'
import { usePlace } from './usePlace.ts'

/** What is known about a file. */
export function FileDetails({ file }: { file: File }) {
  const place = usePlace(file)
  const checksum = useQuery(checksumQuery(file.id)).data?.sha256
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
      {file.is_ai_generated && (
        <Fact icon={IconSparkles} label="Made by">
          AI
        </Fact>
      )}
      <Fact icon={IconFolder} label="Where">
        <Link className="link" to={place.address}>
          {place.title}
        </Link>
      </Fact>
      <Fact icon={IconSearch} label="Text">
        <span className={classes['longText']}>{describeText(file)}</span>
      </Fact>
      {checksum && (
        <Fact icon={IconFingerprint} label="SHA-256">
          <code className={classes['checksum']}>{checksum}</code>
          <CopyButton text={checksum} label="Copy SHA-256" />
        </Fact>
      )}
    </RecordFacts>
  )
}

const checksumQuery = (id: string) =>
  queryOptions({
    queryKey: [...recordKeys(fileKind.table).one(id), 'checksum'],
    queryFn: ({ signal }) => call(fileRoutes.checksum, { params: { id } }, { signal }),
  })

/** Says whether the text of a file can be searched. */
function describeText(file: File): string {
  const { text_state, text_reason } = file
  if (text_reason) return describeReason(file, text_reason)
  return text_state === 'ready' ? 'Can be searched' : 'Is being read'
}
