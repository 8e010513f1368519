import { useId, type ReactNode } from 'react'
import { IconAlertTriangle } from '@tabler/icons-react'
import settings from './settings.module.css'

type SettingsSectionProps = {
  title: string
  description?: ReactNode
  /** The id of the section. An address with this id opens the page at this section: `/account#ai`. */
  anchor?: string
  /** Buttons and choices beside the title. */
  actions?: ReactNode
  children?: ReactNode
}

/** A section of a page of settings, with a heading and a description. */
export function SettingsSection({ title, description, anchor, actions, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section id={anchor} className={settings['section']} aria-labelledby={id}>
      <div className={settings['sectionBar']}>
        <h2 className={settings['head']} id={id}>
          {title}
        </h2>
        {actions}
      </div>
      {description && <p className={settings['text']}>{description}</p>}
      {children}
    </section>
  )
}

/** A message on a page of settings about something that does not work, and what to do about it. */
export const SettingsProblem = ({ children }: { children: ReactNode }) => (
  <p className={settings['problem']}>
    <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
    <span>{children}</span>
  </p>
)
