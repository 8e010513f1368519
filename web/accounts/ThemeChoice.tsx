import { useMantineColorScheme } from '@mantine/core'
import { colorSchemes } from '#web/ui/colorSchemes.ts'
import { Section } from './Section.tsx'
import classes from './AccountPage.module.css'

/** How light the room is, on this device. */
export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section title="Theme" words="On this device only.">
      <fieldset className={classes['themes']} aria-label="Theme">
        {colorSchemes.map(({ value, label, icon: Icon }) => (
          <label key={value} className={classes['theme']}>
            <input type="radio" name="theme" checked={colorScheme === value} onChange={() => setColorScheme(value)} />
            <Icon size={16} stroke={1.75} aria-hidden="true" />
            {label}
          </label>
        ))}
      </fieldset>
    </Section>
  )
}
