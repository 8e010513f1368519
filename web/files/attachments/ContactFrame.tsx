import type { ReactNode } from 'react'
import { uploadFiles } from '../upload/uploadFiles.ts'
import { useFileDrop } from '../upload/useDropTarget.ts'
import classes from './ContactFrame.module.css'

type ContactFrameProps = {
  contactId: string
  contactName: string
  /** Called when files are dropped. Opens the tab with the attachments. */
  onOpen: () => void
  children: ReactNode
}

/** The page of a contact, on which files can be dropped everywhere. They become attachments of the contact. */
export function ContactFrame({ contactId, contactName, onOpen, children }: ContactFrameProps) {
  const { isOver, handlers } = useFileDrop((added) => {
    onOpen()
    return uploadFiles({ folder_id: null, contact_id: contactId }, added)
  }, contactName || undefined)
  return (
    <div className={classes['frame']} data-over={isOver || undefined} {...handlers}>
      {children}
    </div>
  )
}
