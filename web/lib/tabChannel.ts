export type TabChannel<Message> = { send: (message: Message) => void; subscribe: (listener: (message: Message) => void) => () => void }

/**
 * Creates a channel between the tabs of this browser. A tab does not receive its own messages. `subscribe` returns a function that
 * unsubscribes. In a browser without BroadcastChannel no message arrives.
 */
export function createTabChannel<Message>(name: string): TabChannel<Message> {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
    send: (message) => channel?.postMessage(message),
    subscribe: (listener) => {
      const receive = ({ data }: MessageEvent<Message>): void => listener(data)
      channel?.addEventListener('message', receive)
      return () => channel?.removeEventListener('message', receive)
    },
  }
}
