import { useState } from 'react'
import type { File } from '#contract/files.ts'
import { getContentAddress } from './fileContent.ts'
import { NoPreview } from './NoPreview.tsx'
import classes from './Preview.module.css'

/** Plays a sound or a video. Only the parts that are played are loaded. */
export function MediaView({ file, type: Player }: { file: File; type: 'audio' | 'video' }) {
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed)
    return (
      <NoPreview
        file={file}
        title="This browser cannot play the file"
        text="Download it to play it in another program. If the connection was lost, try again."
        onRetry={() => setFailed(false)}
      />
    )
  return (
    <div className={classes['media']}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the files of users have no captions beside them */}
      <Player
        className={classes[Player]}
        controls
        preload="metadata"
        src={getContentAddress(file.id)}
        aria-label={file.file_name}
        onError={() => setFailed(true)}
      />
    </div>
  )
}
