import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Switch, type SwitchProps } from '@mantine/core'

/** A switch for a setting that is on or off. */
export const ToggleSwitch = (props: SwitchProps) => <Switch {...props} />
