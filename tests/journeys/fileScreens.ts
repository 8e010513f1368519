import type { SampleRecords } from './sampleRecords.ts'
import type { Screen } from './screen.ts'

/** The screens of folders and files. `records` returns the ids of the sample records. */
export const fileScreens = (records: () => SampleRecords): Record<string, Screen> => ({
  files: { path: () => '/files', waitForContent: (page) => page.getByRole('link', { name: 'Quillstone Dental', exact: true }).waitFor() },
  'recent files': {
    path: () => '/files/recent',
    waitForContent: (page) => page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor(),
  },
  folder: {
    path: () => `/files/folder/${records().folder}`,
    waitForContent: (page) => page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor(),
  },
  'folder as a grid': {
    opensOverlay: true, // not tested as a page that is opened by its address, because the address alone does not show the grid
    path: () => `/files/folder/${records().folder}`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'Grid', exact: true }).click()
      await page.getByRole('list', { name: 'Files', exact: true }).getByRole('link').first().waitFor()
      await page.evaluate(() => localStorage.removeItem('foyer files layout'))
    },
  },
  'empty folder': {
    path: () => `/files/folder/${records().emptyFolder}`,
    waitForContent: (page) => page.getByRole('heading', { name: 'This folder is empty' }).waitFor(),
  },
  'found files': {
    path: () => `/files/folder/${records().folder}?search=alarm`,
    waitForContent: (page) => page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor(),
  },
  'selected folders and files': {
    opensOverlay: true,
    path: () => `/files/folder/${records().folder}`,
    waitForContent: async (page) => {
      await page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor()
      await page.keyboard.press('Control+a')
      await page.getByRole('button', { name: 'Delete 1 folder and 2 files' }).waitFor()
    },
  },
  'moving files': {
    opensOverlay: true,
    path: () => `/files/folder/${records().folder}`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'More for Site access and alarm.txt', exact: true }).click()
      await page.getByRole('menuitem', { name: /Move/ }).click()
      await page.getByRole('treeitem', { name: 'Quillstone Dental' }).waitFor()
    },
  },
  'new folder': {
    opensOverlay: true,
    path: () => '/files',
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'New folder', exact: true }).click()
      await page.getByRole('dialog', { name: 'New folder' }).getByLabel('Name').waitFor()
    },
  },
  'preview of a PDF': {
    path: () => `/files/file/${records().pdf}?find=desk`,
    waitForContent: (page) => page.getByText('The desk is made in two parts.').first().waitFor(),
  },
  'preview of a table': { path: () => `/files/file/${records().table}`, waitForContent: (page) => page.getByText('7900').waitFor() },
})
