/** The links to the pages that move and cancel a booking. `moveUrl` is empty if it can only be cancelled. */
export const ChangeLinks = ({ moveUrl, cancelUrl }: { moveUrl: string; cancelUrl: string }) => (
  <p>
    {/* in the top window, because these pages cannot be shown in a frame of another website */}
    {moveUrl !== '' && (
      <>
        <a href={moveUrl} target="_top">
          Move it
        </a>{' '}
        or{' '}
      </>
    )}
    <a href={cancelUrl} target="_top">
      {moveUrl === '' ? 'Cancel it' : 'cancel it'}
    </a>
  </p>
)
