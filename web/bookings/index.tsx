// Bookings and booking links: their names and icons in lists of several kinds, such as the trash.
import { IconCalendarEvent, IconCalendarShare } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'

export const bookings = defineFeature({
  records: [
    { ...recordKinds.booking, icon: IconCalendarEvent, addressOf: () => undefined },
    { ...recordKinds['booking link'], icon: IconCalendarShare, addressOf: () => undefined },
  ],
})
