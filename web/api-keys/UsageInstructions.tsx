import { leadRoutes } from '#contract/leads.ts'
import { CopyableText } from '#web/ui/CopyableText.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import settings from '#web/ui/settings.module.css'
import classes from './ApiKeysPage.module.css'

/** Returns the command that sends an example lead. */
const toCommand = (origin: string): string =>
  [
    `curl -X ${leadRoutes.send.method} ${origin}${leadRoutes.send.path} \\`,
    `  -H 'x-api-key: YOUR_API_KEY' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(leadRoutes.send.example.body)}'`,
  ].join('\n')

/** How to send a lead with a key. */
export function UsageInstructions() {
  const command = toCommand(window.location.origin)
  return (
    <SettingsSection title="How to use an API key">
      <p className={settings['text']}>
        Send the key in the header <code>x-api-key</code>. To add a lead, send its name, email and phone as JSON, and any other field of a
        contact. A lead that you have already gets only what it lacks.
      </p>
      <CopyableText text={command} label="Copy command" className={classes['command']} />
      <p className={settings['text']}>
        All that a key can do is on the <a href="/api-docs">page about the API</a>, also how to connect an AI program. A key belongs on a
        server. In a web page every visitor could read it, so browsers on other websites cannot use it.
      </p>
    </SettingsSection>
  )
}
