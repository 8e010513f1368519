export type TabChannel<Message> = { send: (message: Message) => void; subscribe: (listener: (message: Message) => void) => () => void }

/** Speaks with the other tabs of this browser. A tab does not hear itself. `hear` returns what stops it. */
export function createTabChannel<Message>(name: string): TabChannel<Message> {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
    send: (message) => channel?.postMessage(message),
    subscribe: (listener) => {
      const pass = ({ data }: MessageEvent<Message>): void => listener(data)
      channel?.addEventListener('message', pass)
      return () => channel?.removeEventListener('message', pass)
    },
  }
}
