import { parentPort, workerData } from 'node:worker_threads'
import { findBusyTimes, type FileRequest } from './busy.ts'

// The worker thread that finds the busy times in a calendar file.

const request: FileRequest = workerData
parentPort?.postMessage(findBusyTimes(request), []) // no objects are transferred
