import { Button } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { MenuButton } from './MenuButton.tsx'
import classes from './SortMenu.module.css'

type SortMenuProps<Name extends string> = {
  choices: readonly { name: Name; label: string }[]
  /** The name of the current order. */
  value: Name
  onChange: (name: Name) => void
}

/** A menu button that shows and changes the order of a list. */
export function SortMenu<Name extends string>({ choices, value, onChange }: SortMenuProps<Name>) {
  const label = choices.find(({ name }) => name === value)?.label ?? ''
  return (
    <MenuButton
      position="bottom-end"
      width={200}
      button={
        <Button variant="subtle" color="gray" className={classes['button']} aria-label={`Sort: ${label}`}>
          <IconArrowsSort size={16} stroke={1.75} aria-hidden />
          <span>{label}</span>
        </Button>
      }
    >
      {(Menu) => (
        <Menu.RadioGroup value={value} onChange={(name) => changeTo(name)}>
          {choices.map((choice) => (
            <Menu.RadioItem key={choice.name} value={choice.name} closeMenuOnClick>
              {choice.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      )}
    </MenuButton>
  )

  function changeTo(name: string): void {
    const choice = choices.find((each) => each.name === name)
    if (choice) onChange(choice.name)
  }
}
