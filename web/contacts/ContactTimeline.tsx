import { IconUserPlus } from '@tabler/icons-react'
import { Timeline } from '#web/records/panel/Timeline.tsx'
import { contactKind } from './contactKind.tsx'

export const ContactTimeline = ({ id }: { id: string }) => <Timeline record={id} kind={contactKind} createdIcon={IconUserPlus} />
