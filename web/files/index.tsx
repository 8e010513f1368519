// Files: how folders and files look among other records, such as in the palette and in the trash.
import { IconFile, IconFolder } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'

export const files = defineFeature({
  records: [
    { ...recordKinds.folder, icon: IconFolder, addressOf: () => undefined, preposition: 'in', rootLabel: 'Files' },
    {
      ...recordKinds.file,
      icon: IconFile,
      addressOf: () => undefined,
      rootLabel: 'Files',
      creationText: 'uploaded',
      describeChange: ({ name }) => (name === 'file_name' ? 'renamed' : undefined),
    },
  ],
})
