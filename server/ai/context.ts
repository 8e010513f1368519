import type { AppContext } from '#server/platform/feature/context.ts'

/** The services that the connections of owners need. */
export type AiContext = Pick<AppContext, 'database' | 'now' | 'installationKey'> & { settings: Pick<AppContext['settings'], 'ai'> }

/** The services that requests to endpoints need. */
export type EndpointContext = AiContext & Pick<AppContext, 'ai'>
