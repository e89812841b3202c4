// glsort for three.js.

export {disposeGlsort, glsortOf, orderGlsl, SortedOrder} from './order.js';
export {SortedPoints, SortedQuads, SortedSplats} from './objects.js';
export {parsePly} from './ply.js';
