import { Button, Menu } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import classes from './SortMenu.module.css'

type SortMenuProps<Name extends string> = {
  choices: readonly { name: Name; label: string }[]
  chosen: Name
  onChoose: (name: Name) => void
}

/** A menu button that shows and changes the order of a list. */
export function SortMenu<Name extends string>({ choices, chosen, onChoose }: SortMenuProps<Name>) {
  const label = choices.find(({ name }) => name === chosen)?.label ?? ''
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button variant="subtle" color="gray" className={classes['button']} aria-label={`Sort: ${label}`}>
          <IconArrowsSort size={16} stroke={1.75} aria-hidden />
          <span>{label}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={chosen} onChange={(name) => choose(name)}>
          {choices.map((choice) => (
            <Menu.RadioItem key={choice.name} value={choice.name} closeMenuOnClick>
              {choice.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )

  function choose(name: string): void {
    const choice = choices.find((each) => each.name === name)
    if (choice) onChoose(choice.name)
  }
}
