import '#web/ui/choices.css'
import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tagLimits } from '#contract/fields.ts'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { RecordField } from './RecordField.tsx'
import { FieldLabel, type FieldProps } from './RecordInputs.tsx'
import { tagsQuery, type TaggedKind } from '#web/records/kind/queries.ts'
import classes from './RecordInputs.module.css'

type TagsFieldProps = Omit<FieldProps, 'field'> & {
  kind: TaggedKind
}

/** A field for tags, which suggests the tags in use. Enter, a comma or a semicolon completes a tag. */
export function TagsField({ editor, kind }: TagsFieldProps) {
  const { form } = editor
  const [hasOpened, setHasOpened] = useState(false)
  const tagsResult = useQuery({ ...tagsQuery(kind), enabled: hasOpened })
  const tags = form.getValues()['tags']
  const { onChange, ...props } = form.getInputProps('tags')
  return (
    <RecordField editor={editor} field="tags">
      <TagsInput
        label={<FieldLabel editor={editor} field="tags" />}
        name="tags"
        classNames={{ inputField: classes['input'] ?? '' }}
        {...props}
        placeholder={Array.isArray(tags) && tags.length > 0 ? '' : 'Add a tag'}
        value={Array.isArray(tags) ? tags : []}
        onChange={(next) => onChange(next)}
        data={(tagsResult.data?.tags ?? []).map(({ tag }) => tag)}
        maxTags={tagLimits.count}
        maxLength={tagLimits.length}
        splitChars={[',', ';']}
        acceptValueOnBlur
        onDropdownOpen={() => setHasOpened(true)}
        onKeyDown={onDropdownKeyDown}
      />
    </RecordField>
  )
}
