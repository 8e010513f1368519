import { useState } from 'react'
import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'

type ModelFieldProps = Pick<AutocompleteProps, 'value' | 'error' | 'onBlur' | 'loading'> & {
  label: string
  models: string[]
  /** Called when the field gets the focus, so that the models are loaded. */
  onOpen: () => void
  onChange?: (name: string) => void
}

/** A text field with the endpoint's models as suggestions. Other names can be typed too, because some endpoints list no models. */
export function ModelField({ models, onOpen, onChange, ...field }: ModelFieldProps) {
  const [isTyping, setTyping] = useState(false)
  return (
    <Autocomplete
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      withScrollArea={false}
      {...field}
      data={models}
      {...(!isTyping && { filter: ({ options }) => options })} // a name that was chosen earlier does not hide the others
      onFocus={() => {
        setTyping(false)
        onOpen()
      }}
      onChange={(name) => {
        setTyping(true)
        onChange?.(name)
      }}
      onOptionSubmit={() => setTyping(false)}
      onKeyDown={onDropdownKeyDown}
    />
  )
}
