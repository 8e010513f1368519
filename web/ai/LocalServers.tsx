import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#web/lib/format.ts'
import { localServersQuery } from './queries.ts'
import grid from '#web/ui/fieldGrid.module.css'
import classes from './AiSettings.module.css'

type LocalServer = { name: string; base_url: string; models: string[] }

/** Offers the AI servers that run on the same machine as Foyer. */
export function LocalServers({ onChoose }: { onChoose: (server: LocalServer) => void }) {
  const { data } = useQuery(localServersQuery)
  if (!data || data.servers.length === 0) return null
  return (
    <div className={classes['found']}>
      <p className={grid['hint']}>Found on the machine of this server:</p>
      {data.servers.map((server) => (
        <Button key={server.base_url} variant="default" onClick={() => onChoose(server)}>
          Use {server.name} ({formatCount(server.models.length, 'model')})
        </Button>
      ))}
    </div>
  )
}
