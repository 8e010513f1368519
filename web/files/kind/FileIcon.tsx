import { createElement } from 'react'
import { findFileIcon } from './fileTypes.ts'

/** The icon of a file by its `file_type`. `size` is in px. Screen readers read the extension in the name instead. */
export const FileIcon = ({ fileType, size = 18 }: { fileType: string; size?: number }) => (
  <span aria-hidden style={{ display: 'grid', flex: 'none' }}>
    {createElement(findFileIcon(fileType), { size, stroke: 1.6 })}
  </span>
)
