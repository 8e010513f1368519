import * as z from 'zod/mini'
import { noteRoutes } from '#contract/notes.ts'
import { createKindFields } from '#web/records/form/FieldsEditor.tsx'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { MultilineField } from '#web/records/form/RecordInputs.tsx'
import { linkFromText } from '#web/records/kind/kind.ts'

/** The fields of notes and their inputs, for the proposals of the assistant. */
export const noteFields = createKindFields(
  {
    fields: { contact_id: { label: 'Contact', linksTo: 'contact' }, content: { label: 'Note', isLong: true } },
    blank: { contact_id: null, content: '' },
    input: z.object({ contact_id: linkFromText('contact'), content: noteRoutes.create.body.shape.content }),
  },
  {
    contact_id: ({ editor, field }) => <LinkField editor={editor} field={field} linkedKind="contact" />,
    content: ({ editor, field }) => <MultilineField editor={editor} field={field} />,
  },
)
