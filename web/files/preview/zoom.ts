/** The zoom levels; 1 is the original size. */
const steps = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4]

/** A step that is nearer than this to the current zoom would change nothing that the user can see. */
const tolerance = 0.005

/** Returns the next larger step of the zoom, at most 400 %. */
export const zoomIn = (zoom: number): number => steps.find((step) => step > zoom + tolerance) ?? zoom

/** Returns the next smaller step of the zoom, at least 10 %. */
export const zoomOut = (zoom: number): number => steps.findLast((step) => step < zoom - tolerance) ?? zoom
