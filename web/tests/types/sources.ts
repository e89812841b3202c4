// The JavaScript must have each member that the types promise. tsc checks this file; nothing runs it.

import type * as Types from 'glsort';
import type * as ThreeTypes from 'glsort/three';
import {Scene} from '../../src/scene.js';
import {Sorter} from '../../src/sorter.js';
import * as objects from '../../three/objects.js';
import * as order from '../../three/order.js';
import {parsePly} from '../../three/ply.js';

type Made<Class extends abstract new (...given: never[]) => unknown> = InstanceType<Class>;
/** The members that the sources lack. */
type Missing<Promised, Sources> = Exclude<keyof Promised, keyof Sources>;
type Nothing<Members extends never> = Members;

export type AllMissing = [
    Nothing<Missing<Types.Sorter, Made<typeof Sorter>>>,
    Nothing<Missing<Types.Scene, Made<typeof Scene>>>,
    Nothing<Missing<typeof ThreeTypes, typeof objects & typeof order & {parsePly: unknown}>>,
    Nothing<Missing<ThreeTypes.SortedOrder, Made<typeof order.SortedOrder>>>,
];
export const read: typeof ThreeTypes.parsePly = parsePly;
