/** A message of a stream of server-sent events. `event` is "message" if the stream does not name it. */
export type StreamMessage = { event: string; data: string }

/**
 * Reads the messages of a response with server-sent events, with `fetch` instead of an `EventSource`, which cannot change the address when
 * it reconnects. `onBytes` is called whenever anything arrives, also the comments with which the server keeps the connection open.
 */
export async function* readEventStream(response: Response, onBytes?: () => void): AsyncGenerator<StreamMessage, void, void> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let unread = ''
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      onBytes?.()
      unread += decoder.decode(part.value, { stream: true })
      const blocks = unread.split('\n\n') // an empty line ends a message
      unread = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = parseBlock(block)
        if (message) yield message
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

/** Returns undefined for a block without data, such as a comment. */
function parseBlock(block: string): StreamMessage | undefined {
  const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line))
  const getValues = (name: string): string[] => fields.flatMap((match) => (match?.[1] === name ? (match[2] ?? '') : []))
  const data = getValues('data')
  return data.length === 0 ? undefined : { event: getValues('event')[0] ?? 'message', data: data.join('\n') }
}
