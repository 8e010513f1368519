// Bookings: their name and icon in lists of several kinds, such as the trash.
import { IconCalendarEvent } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'

export const bookings = defineFeature({
  records: [{ ...recordKinds.booking, icon: IconCalendarEvent, addressOf: () => undefined }],
})
