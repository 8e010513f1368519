import { IconUserPlus } from '@tabler/icons-react'
import { Timeline } from '#web/records/panel/Timeline.tsx'
import { timelineWords } from './timelineWords.ts'

/** What happened to a contact, newest first. */
export const ContactTimeline = ({ id }: { id: string }) => <Timeline record={id} tell={timelineWords} createdIcon={IconUserPlus} />
