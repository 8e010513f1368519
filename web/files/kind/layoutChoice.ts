import { useState } from 'react'

export type FileLayout = 'list' | 'grid'

const storageName = 'foyer files layout'

/** Returns whether files are shown as a list or as a grid, and a function that changes it. The browser remembers the choice. */
export function useLayoutChoice(): [FileLayout, (layout: FileLayout) => void] {
  const [layout, setLayout] = useState<FileLayout>(() => (localStorage.getItem(storageName) === 'grid' ? 'grid' : 'list'))
  return [
    layout,
    (choice) => {
      localStorage.setItem(storageName, choice)
      setLayout(choice)
    },
  ]
}
